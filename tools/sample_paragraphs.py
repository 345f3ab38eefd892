"""Draw paragraphs of the letters by a seed, with what backs them, to review them against the letters."""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork import sources
from feltwork.sources import Paragraph
from tools.letters import backed_by

SIZE = 100


def sample(seed: int) -> list[Paragraph]:
    """A hundred paragraphs, in the order of the letters."""
    everything = list(sources.paragraphs().values())
    drawn = random.Random(seed).sample(range(len(everything)), SIZE)
    return [everything[place] for place in sorted(drawn)]


def main() -> None:
    """Print the rows of the review; the verdict and its reason are for the reviewer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    for paragraph in sample(parser.parse_args().seed):
        sys.stdout.write(f"| `{paragraph.id}` | {backed_by(paragraph.id)} |  |  |\n")


if __name__ == "__main__":
    main()
