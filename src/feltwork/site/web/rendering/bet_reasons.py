"""The reasons why a bet wins, loses or pushes, as the rules write them and as a trainee reads them."""

import re

from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.sentences import recognized
from feltwork.site.web.rendering.templating import sentence

#: Templates of the games' reasons; a longer template precedes a shorter one that it contains.
REASONS = (
    N_("seat %(seat)s, %(bet)s comes first"),
    N_("folded"),
    N_("nobody is beaten"),
    N_("nothing on %(paytable)s"),
    N_("the dealer does not qualify"),
    N_("the dealer's %(hand)s does not qualify"),
    N_("%(player)s is below a straight but not beaten by %(dealer)s"),
    N_("%(player)s is below a straight and beaten by %(dealer)s"),
    N_("%(player)s is below a straight flush"),
    N_("the beaten hand, %(hand)s, is below two pair"),
    N_("the best of %(number)s hands is %(hand)s, below three of a kind"),
    N_("%(player)s wins, but the ante pays from %(hand)s up"),
    N_("the dealer has blackjack"),
    N_("the dealer has no blackjack"),
    N_("blackjack ties the dealer's blackjack"),
    N_("%(hand)s loses to the dealer's blackjack"),
    N_("%(hand)s is surrendered for half the wager"),
    N_("%(hand)s is bust"),
    N_("%(hand)s stands, the dealer is bust with %(total)s"),
    N_("%(hand)s beats the dealer's %(total)s"),
    N_("%(hand)s loses to the dealer's %(total)s"),
    N_("%(hand)s ties the dealer's %(total)s"),
    N_("no tie, %(own)s to %(other)s"),
    N_("a tie, %(own)s to %(other)s, %(pays)s"),
    N_("a tie, %(own)s to %(other)s"),
    N_("%(side)s wins %(own)s to %(other)s, %(pays)s"),
    N_("%(side)s loses %(own)s to %(other)s"),
    N_("%(hand)s pays %(pays)s"),
    N_("%(player)s beats %(dealer)s"),
    N_("%(player)s loses to %(dealer)s"),
    N_("%(player)s ties %(dealer)s"),
)
_CITATION = re.compile(r" \[[^]]*\]")


def reason(why: str) -> str:
    """A reason in the reader's language; its citations are removed because they appear below it."""
    return sentence(recognized(_CITATION.sub("", why), REASONS)) if why else ""
