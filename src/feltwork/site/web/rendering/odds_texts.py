"""The texts of the odds of a bet: methods, strategies, and notes."""

from feltwork.site.web.rendering.catalog import N_, translated
from feltwork.site.web.rendering.sentences import recognized

#: Templates; a longer template precedes a shorter one that it contains.
TEXTS = (
    # Methods.
    N_("all 133,784,560 sets of seven cards, each placed in all ways"),
    N_("all 2,598,960 five-card hands ranked by their best four"),
    N_("all 2,598,960 five-card hands, named by the rules; folded hands still qualify"),
    N_("every draw of the cards the bet looks at, named by the rules"),
    N_("every ordered six-card deal counted by point values; suits from each suit's own cards"),
    N_("every pair of hole cards against every pair of the dealer's"),
    N_(
        "optimal play of the whole shoe by dynamic programming, error below 1e-12; "
        "a split hand is played as the same cards unsplit"
    ),
    N_(
        "optimal play over all 19,933,230,517,200 deals: dealer hands swept upward by value, "
        "those with the up card and disjoint from the player's five by inclusion-exclusion"
    ),
    N_(
        "optimal play over all 3,986,646,103,440 deals: dealer hands swept upward by value, "
        "those disjoint from the player's five by inclusion-exclusion"
    ),
    N_("optimal play over all deals, exposed cards used: the same sweep for each card the dealer keeps"),
    N_("optimal play over every deal; each class of deals settled by the rules of %(title)s"),
    N_(
        "shipped certificate, re-derived by --recompute: disjoint good hands counted exactly, "
        "then inclusion-exclusion over how many are good"
    ),
    # Strategy.
    N_("No decision: the cards alone decide what the bet pays."),
    N_(
        "A decision, priced at its best: leave all winnings on the hand when it has a positive value, "
        "else take."
    ),
    N_("The hand itself is played optimally for the cards in the shoe."),
    N_("Play 3x with a pair of aces or better."),
    N_("Play 1x with %(hand)s or better, below a pair of aces."),
    N_("Fold the rest."),
    N_(
        "From %(low)s to %(high)s the side cards decide; "
        "the simple rule costs %(cost)s Antes per round there."
    ),
    N_("Raise a pair or better."),
    N_("With a low pair, let the dealer's card decide."),
    N_("Fold below ace-king."),
    N_("With ace-king the other cards and the dealer's card decide: raise %(share)s of the time."),
    N_("dealer plays %(cards)s, %(rank)s kept: play %(hand)s or better"),
    N_("dealer plays %(cards)s: play %(hand)s or better"),
    N_("%(choice)s: %(share)s of the hands, from %(low)s to %(high)s."),
    # Notes.
    N_("The house loses %(percent)s%% in the long run. Lower a pay, a rate or a seed."),
    N_("%(level)s is never paid in full, so it has no long-run figures. Pay 100%% of it on some row."),
    N_(
        "%(level)s: a hit pays at most %(cap)s, but on average %(mean)s comes in per hit, so the reserve "
        "grows without limit. Raise the cap or lower the rates."
    ),
    N_("%(level)s: a wager would break even at %(amount)s, which is above the cap."),
    N_("%(hand)s pays less than %(other)s, which comes more often."),
    N_(
        "%(level)s: the average hit is so near the cap that the reserve never settles; figures about it "
        "are omitted. Raise the cap or lower the rates."
    ),
    N_("%(level)s: the hold assumes that fixed pays never empty the meter."),
    N_("A share is divided among the bettors of a round, so a round is one trial."),
)


def odds_text(text: str) -> str:
    """A sentence of the odds in the reader's language."""
    return translated(recognized(text, TEXTS))
