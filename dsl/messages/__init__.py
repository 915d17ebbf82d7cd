"""All wording of diagnostics, one function per code, one file per hundred; the only place with sentences."""

from cambist.dsl.messages.advice import *  # noqa: F403
from cambist.dsl.messages.kinds import *  # noqa: F403
from cambist.dsl.messages.laws import *  # noqa: F403
from cambist.dsl.messages.names import *  # noqa: F403
from cambist.dsl.messages.options import *  # noqa: F403
from cambist.dsl.messages.registry import CODES as CODES
from cambist.dsl.messages.sources import *  # noqa: F403
from cambist.dsl.messages.text import *  # noqa: F403
from cambist.dsl.messages.variants import *  # noqa: F403
