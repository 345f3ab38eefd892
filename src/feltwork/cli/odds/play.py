"""Commands about play: the value of each choice, and simulated rounds."""

import time
from typing import Annotated, Literal

import typer

from feltwork.cli.arguments import AsData, Options, TitleName, pairs, print_json
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

Sees = Annotated[
    list[str] | None,
    typer.Option("--sees", help="Cards that the player sees, such as 'dealer=6d'; may be repeated."),
]


def advise(
    title: TitleName,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="The player's cards, such as 'As Kd'.")],
    sees: Sees = None,
    option: Options = None,
    as_data: AsData = False,
) -> None:
    """Print the exact value of each choice for a hand, and the cost of all but the best."""
    from feltwork.odds.figures.figure import decimal
    from feltwork.odds.question import advice_for

    advice = advice_for(
        registry.game(title),
        cards,
        pairs("--sees", sees, "dealer=6d"),
        pairs("--option", option, "soft_17=hit"),
    )
    if as_data:
        print_json(advice.as_json())
        return
    for choice, worth in advice.worth.items():
        mark = "  best" if choice == advice.best else f"  costs {decimal(advice.cost_of(choice), 6)}"
        typer.echo(f"{choice:>10}  {decimal(worth, 8)}{mark}")
    if not advice.exact:
        typer.echo("Not exact: a split hand is valued like the same cards unsplit.")


def simulate(
    title: TitleName,
    rounds: Annotated[
        int | None,
        typer.Option(
            help="The number of rounds; default: 100,000, or 2,000 with cards seen.", min=1, max=10_000_000
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the shuffles.")] = 1,
    strategy: Annotated[
        Literal["exact", "simple"], typer.Option(help="Optimal play, or the title's rule of thumb.")
    ] = "exact",
    exposed: Annotated[int, typer.Option(help="Cards of other hands that the player sees.", min=0)] = 0,
    hole: Annotated[int, typer.Option(help="Cards of the dealer seen face down.", min=0)] = 0,
    as_data: AsData = False,
) -> None:
    """Deal, play and settle random rounds by the rules; print the result of each bet.

    With --exposed or --hole, print a player's gain from seeing that many cards that the rules do not show.
    """
    if exposed or hole:
        _team(title, exposed, hole, rounds or 2_000, seed, strategy, as_data=as_data)
        return
    from feltwork.odds.simulate import simulate as simulated

    rounds = rounds or 100_000
    # The strategy is solved and its code compiled before the time is taken.
    simulated(registry.game(title), rounds=1, seed=seed, strategy=strategy)
    start = time.perf_counter()
    result = simulated(registry.game(title), rounds=rounds, seed=seed, strategy=strategy)
    if as_data:
        print_json(result.as_json())
        return
    for name, tally in {"base game": result.base, **result.bets}.items():
        within = 1.96 * tally.standard_error * 100
        typer.echo(f"{name}: {tally.mean * 100:.4f}% of its wager, ± {within:.4f}% (95%)")
    for name, pair in result.with_base.items():
        figures = pair.as_json()
        typer.echo(
            f"{name} with the base game: covariance {figures['covariance']:.4f} "
            f"± {1.96 * figures['standard_error']:.4f} (95%), correlation {figures['correlation']:.4f}"
        )
    took = time.perf_counter() - start
    typer.echo(f"{rounds:,} rounds in {took:.1f} s, {rounds / took:,.0f} a second.")


def _team(
    title: str, exposed: int, hole: int, rounds: int, seed: int, strategy: str, *, as_data: bool
) -> None:
    from feltwork.odds.exposed.team import team_gain
    from feltwork.odds.figures import shipped_reports

    if strategy != "exact":
        what = "a rule of thumb ignores exposed cards"
        raise ProblemsError([Problem("--strategy", what, "use exact, or leave --exposed and --hole out")])
    estimate = team_gain(registry.game(title), exposed=exposed, hole=hole, rounds=rounds, seed=seed)
    edge = float(shipped_reports.base_report(title, {}).figures["house edge"])
    if as_data:
        print_json({**estimate.as_json(), "house_edge": edge, "house_edge_with_cards": edge - estimate.gain})
        return
    typer.echo(f"Seen: {exposed} cards of other hands, {hole} of the dealer's, face down.")
    typer.echo(
        f"Gain: {estimate.gain * 100:.4f}% of the first wager, ± {196 * estimate.standard_error:.4f}% (95%), "
        f"an estimate from {rounds:,} hands; the decision changes in {estimate.changed:.2%} of them."
    )
    typer.echo(
        f"House edge: {edge * 100:.4f}% without these cards, about {(edge - estimate.gain) * 100:.4f}% with."
    )
