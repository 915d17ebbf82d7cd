"""The lowered form: names are slots, domains are plans, everything is integers. THE border with interpreter/.

A `Program` is one ruleset for one number of players and one setting of its options. Values at run time: a
number, a yes or no, an amount (counted in its unit's smallest step), a player, an enum member, a component
and a zone are integers; nobody is NOBODY; several things are a list. Expressions (`E…`) have no effect.
Instructions (`I…`) stand in the flat code of a procedure and name their successors by index, so that a frame
is a procedure, an index and a list of local values.
"""

from cambist.dsl.program.expressions import EAccount as EAccount
from cambist.dsl.program.expressions import EAnd as EAnd
from cambist.dsl.program.expressions import EAround as EAround
from cambist.dsl.program.expressions import EAttr as EAttr
from cambist.dsl.program.expressions import EBefore as EBefore
from cambist.dsl.program.expressions import EBest as EBest
from cambist.dsl.program.expressions import ECall as ECall
from cambist.dsl.program.expressions import EConst as EConst
from cambist.dsl.program.expressions import EContents as EContents
from cambist.dsl.program.expressions import EEnd as EEnd
from cambist.dsl.program.expressions import EFold as EFold
from cambist.dsl.program.expressions import EIf as EIf
from cambist.dsl.program.expressions import EInZone as EInZone
from cambist.dsl.program.expressions import EIsCard as EIsCard
from cambist.dsl.program.expressions import EItems as EItems
from cambist.dsl.program.expressions import EList as EList
from cambist.dsl.program.expressions import ELocal as ELocal
from cambist.dsl.program.expressions import EMember as EMember
from cambist.dsl.program.expressions import ENot as ENot
from cambist.dsl.program.expressions import EOp as EOp
from cambist.dsl.program.expressions import EOr as EOr
from cambist.dsl.program.expressions import ERange as ERange
from cambist.dsl.program.expressions import ERest as ERest
from cambist.dsl.program.expressions import ESize as ESize
from cambist.dsl.program.expressions import ESpace as ESpace
from cambist.dsl.program.expressions import ETable as ETable
from cambist.dsl.program.expressions import EVar as EVar
from cambist.dsl.program.expressions import Expr as Expr
from cambist.dsl.program.expressions import Loop as Loop
from cambist.dsl.program.instructions import Branch as Branch
from cambist.dsl.program.instructions import Choice as Choice
from cambist.dsl.program.instructions import IAsk as IAsk
from cambist.dsl.program.instructions import IAskSealed as IAskSealed
from cambist.dsl.program.instructions import ICall as ICall
from cambist.dsl.program.instructions import IDrawTop as IDrawTop
from cambist.dsl.program.instructions import IEachNext as IEachNext
from cambist.dsl.program.instructions import IEachStart as IEachStart
from cambist.dsl.program.instructions import IEndGame as IEndGame
from cambist.dsl.program.instructions import IJump as IJump
from cambist.dsl.program.instructions import IKeep as IKeep
from cambist.dsl.program.instructions import IMark as IMark
from cambist.dsl.program.instructions import IMove as IMove
from cambist.dsl.program.instructions import Instr as Instr
from cambist.dsl.program.instructions import IRandom as IRandom
from cambist.dsl.program.instructions import IRequire as IRequire
from cambist.dsl.program.instructions import IReturn as IReturn
from cambist.dsl.program.instructions import IReveal as IReveal
from cambist.dsl.program.instructions import IRollBack as IRollBack
from cambist.dsl.program.instructions import ISetLocal as ISetLocal
from cambist.dsl.program.instructions import ISetSpace as ISetSpace
from cambist.dsl.program.instructions import ISetVar as ISetVar
from cambist.dsl.program.instructions import IShuffle as IShuffle
from cambist.dsl.program.instructions import ITakeAnswer as ITakeAnswer
from cambist.dsl.program.instructions import ITentative as ITentative
from cambist.dsl.program.instructions import ITransfer as ITransfer
from cambist.dsl.program.instructions import IUnless as IUnless
from cambist.dsl.program.instructions import Pick as Pick
from cambist.dsl.program.instructions import Test as Test
from cambist.dsl.program.places import MISSING as MISSING
from cambist.dsl.program.places import NOBODY as NOBODY
from cambist.dsl.program.places import At as At
from cambist.dsl.program.places import Because as Because
from cambist.dsl.program.places import Meaning as Meaning
from cambist.dsl.program.tables import AccountFamily as AccountFamily
from cambist.dsl.program.tables import Act as Act
from cambist.dsl.program.tables import Asked as Asked
from cambist.dsl.program.tables import CardKind as CardKind
from cambist.dsl.program.tables import Component as Component
from cambist.dsl.program.tables import Example as Example
from cambist.dsl.program.tables import Fact as Fact
from cambist.dsl.program.tables import Function as Function
from cambist.dsl.program.tables import Measure as Measure
from cambist.dsl.program.tables import Procedure as Procedure
from cambist.dsl.program.tables import Program as Program
from cambist.dsl.program.tables import Property as Property
from cambist.dsl.program.tables import Show as Show
from cambist.dsl.program.tables import Shown as Shown
from cambist.dsl.program.tables import Trigger as Trigger
from cambist.dsl.program.tables import VarFamily as VarFamily
from cambist.dsl.program.tables import ZoneFamily as ZoneFamily
