// Crazy 4 Poker counted in plain C++: the yardstick for the numba kernels, by the same method.
//
//   g++ -O2 -pthread -o crazy_4 crazy_4.cpp && ./crazy_4
//
// Every five-card hand is ranked by its best four (two threads), the hands are sorted by value, and one upward sweep
// keeps, for each set of at most four cards, how many hands so far contain it. Inclusion-exclusion over a player's
// five cards then gives the dealer hands below, and not above, his own. Prints the totals over all deals in the order
// unqualified win, tie, loss, qualified win, tie, loss; then the beaten dealer hands from two pair to four of a kind.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr int kDeck = 52;
constexpr int kDealerHands = 1533939;
constexpr int kSingles = 1, kPairs = 53, kTriples = 53 + 1326, kFours = kTriples + 22100;
constexpr int kSlots = kFours + 270725;
constexpr int kValueLimit = 8 << 16;
constexpr int kKingHigh = 13 << 12;

std::array<uint64_t, kDeck> word;
std::array<int32_t, 8192> top_four, straight_top;
std::array<int32_t, kDeck> choose_2, choose_3, choose_4;

void build_tables() {
  for (int c = 0; c < kDeck; ++c) {
    const int shift = 16 * (c % 4);
    word[c] = (uint64_t{1} << (shift + c / 4)) + (uint64_t{1} << (shift + 13));
    choose_2[c] = c * (c - 1) / 2;
    choose_3[c] = c * (c - 1) * (c - 2) / 6;
    choose_4[c] = static_cast<int64_t>(c) * (c - 1) * (c - 2) * (c - 3) / 24;
  }
  for (int ranks = 0; ranks < 8192; ++ranks) {
    int shift = 12;
    for (int bit = 12; bit >= 0 && shift >= 0; --bit)
      if (ranks >> bit & 1) top_four[ranks] |= (bit + 2) << shift, shift -= 4;
    const int with_low_ace = ranks << 1 | ranks >> 12;
    for (int top = 4; top <= 14; ++top)
      if ((with_low_ace >> (top - 4) & 15) == 15) straight_top[ranks] = top;
  }
}

int best_four(uint64_t hand) {
  const int c = hand & 8191, d = hand >> 16 & 8191, h = hand >> 32 & 8191, s = hand >> 48 & 8191;
  const int low_both = c & d, high_both = h & s, low_any = c | d, high_any = h | s;
  const int fours = low_both & high_both;
  if (fours) return 7 << 16 | (top_four[fours] & 0xF000);
  const int ranks = low_any | high_any;
  int suited = 0;
  if (hand & 0x8000800080008000ULL) {
    suited = hand >> 15 & 1 ? c : hand >> 31 & 1 ? d : hand >> 47 & 1 ? h : s;
    if (straight_top[suited]) return 6 << 16 | straight_top[suited] << 12;
  }
  const int threes = (low_both & high_any) | (high_both & low_any);
  if (threes) {
    const int three = top_four[threes] & 0xF000;
    const int kicker = top_four[ranks & ~(1 << ((three >> 12) - 2))] & 0xF000;
    return 5 << 16 | three | kicker >> 4;
  }
  if (suited) return 4 << 16 | top_four[suited];
  if (straight_top[ranks]) return 3 << 16 | straight_top[ranks] << 12;
  const int twos = low_both | high_both | (low_any & high_any);
  if (!twos) return top_four[ranks];
  if (twos & (twos - 1)) return 2 << 16 | (top_four[twos] & 0xFF00);
  return 1 << 16 | (top_four[twos] & 0xF000) | (top_four[ranks & ~twos] & 0xFF00) >> 4;
}

struct Hands {
  std::vector<int32_t> packed, values;
  std::vector<int8_t> multiplicity;
  explicit Hands(size_t n) : packed(n), values(n), multiplicity(n) {}
};

// One hand stands for all its renamings of suits: the one with the suits' rank sets in falling order.
int renamings(uint64_t hand) {
  int orderings = 1, run = 1, previous = -1;
  for (int suit = 0; suit < 4; ++suit) {
    const int ranks = hand >> (16 * suit) & 8191;
    if (suit && ranks > previous) return 0;
    run = ranks == previous ? run + 1 : 1;
    orderings = orderings * (suit + 1) / run;
    previous = ranks;
  }
  return orderings;
}

void rank_hands(Hands& hands, int first_high, int last_high) {
  for (int e = first_high; e < last_high; ++e) {
    size_t at = static_cast<int64_t>(e) * (e - 1) * (e - 2) * (e - 3) / 24 * (e - 4) / 5;
    for (int d = 3; d < e; ++d)
      for (int c = 2; c < d; ++c)
        for (int b = 1; b < c; ++b) {
          const uint64_t four = word[e] + word[d] + word[c] + word[b];
          for (int a = 0; a < b; ++a, ++at) {
            const uint64_t hand = four + word[a];
            hands.packed[at] = e << 24 | d << 18 | c << 12 | b << 6 | a;
            hands.values[at] = best_four(hand);
            hands.multiplicity[at] = renamings(hand);
          }
        }
  }
}

Hands sorted_by_value(const Hands& hands) {
  std::vector<int32_t> start(kValueLimit + 1);
  for (const int32_t value : hands.values) ++start[value + 1];
  for (int value = 0; value < kValueLimit; ++value) start[value + 1] += start[value];
  Hands sorted(hands.packed.size());
  for (size_t i = 0; i < hands.packed.size(); ++i) {
    const int at = start[hands.values[i]]++;
    sorted.packed[at] = hands.packed[i];
    sorted.values[at] = hands.values[i];
    sorted.multiplicity[at] = hands.multiplicity[i];
  }
  return sorted;
}

void subset_slots(int packed, int32_t* slots) {
  int one = 1, two = 6, three = 16, four = 26;
  slots[0] = 0;
  for (int i = 0; i < 5; ++i) {
    const int d = packed >> (6 * i) & 63;
    slots[one++] = kSingles + d;
    for (int j = 0; j < i; ++j) {
      const int c = packed >> (6 * j) & 63;
      slots[two++] = kPairs + c + choose_2[d];
      for (int k = 0; k < j; ++k) {
        const int b = packed >> (6 * k) & 63;
        slots[three++] = kTriples + b + choose_2[c] + choose_3[d];
        for (int m = 0; m < k; ++m)
          slots[four++] = kFours + (packed >> (6 * m) & 63) + choose_2[b] + choose_3[c] + choose_4[d];
      }
    }
  }
}

int disjoint(const std::vector<int32_t>& table, int packed) {
  int32_t slots[31];
  subset_slots(packed, slots);
  int total = table[0];
  for (int i = 1; i < 6; ++i) total -= table[slots[i]];
  for (int i = 6; i < 16; ++i) total += table[slots[i]];
  for (int i = 16; i < 26; ++i) total -= table[slots[i]];
  for (int i = 26; i < 31; ++i) total += table[slots[i]];
  return total;
}

struct Counts {
  std::vector<int32_t> packed, values, below, up_to;
  std::vector<int8_t> multiplicity;
  std::array<std::vector<int32_t>, 7> below_mark;
};

Counts sweep(const Hands& hands) {
  Counts counts;
  for (size_t i = 0; i < hands.packed.size(); ++i)
    if (hands.multiplicity[i]) {
      counts.packed.push_back(hands.packed[i]);
      counts.values.push_back(hands.values[i]);
      counts.multiplicity.push_back(hands.multiplicity[i]);
    }
  const size_t players = counts.packed.size();
  counts.below.resize(players);
  counts.up_to.resize(players);
  for (auto& column : counts.below_mark) column.resize(players);
  const int marks[7] = {kKingHigh, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16};
  std::vector<int32_t> table(kSlots);
  int32_t slots[31];
  size_t hand = 0, player = 0, mark = 0;
  while (player < players) {
    const int value = hands.values[hand];
    for (; mark < 7 && marks[mark] <= value; ++mark)
      for (size_t i = 0; i < players; ++i)
        counts.below_mark[mark][i] = disjoint(table, counts.packed[i]) - (counts.values[i] < marks[mark]);
    size_t last = player;
    for (; last < players && counts.values[last] == value; ++last)
      counts.below[last] = disjoint(table, counts.packed[last]);
    for (; hand < hands.packed.size() && hands.values[hand] == value; ++hand) {
      subset_slots(hands.packed[hand], slots);
      for (const int32_t slot : slots) ++table[slot];
    }
    for (; player < last; ++player) counts.up_to[player] = disjoint(table, counts.packed[player]) - 1;
  }
  return counts;
}

}  // namespace

int main() {
  const auto begin = std::chrono::steady_clock::now();
  build_tables();
  Hands hands(2598960);
  // The highest card splits the hands: below 46 lie about half of them.
  std::thread lower(rank_hands, std::ref(hands), 4, 46);
  rank_hands(hands, 46, kDeck);
  lower.join();
  const Counts counts = sweep(sorted_by_value(hands));
  int64_t totals[6] = {}, beaten[6] = {};
  for (size_t i = 0; i < counts.packed.size(); ++i) {
    const int times = counts.multiplicity[i], below = counts.below[i], up_to = counts.up_to[i];
    const int unqualified = counts.below_mark[0][i];
    const int low_win = std::min(below, unqualified), low_end = std::min(up_to, unqualified);
    const int outcomes[6] = {low_win, low_end - low_win, unqualified - low_end, below - low_win,
                             up_to - below - (low_end - low_win), kDealerHands - up_to - (unqualified - low_end)};
    for (int j = 0; j < 6; ++j) {
      totals[j] += int64_t{times} * outcomes[j];
      const int end = j < 5 ? counts.below_mark[j + 2][i] : kDealerHands;
      beaten[j] += int64_t{times} * std::max(0, std::min(below, end) - counts.below_mark[j + 1][i]);
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("seconds %.4f\ntotals", seconds.count());
  for (const int64_t total : totals) std::printf(" %lld", static_cast<long long>(total));
  std::printf("\nbeaten");
  for (const int64_t total : beaten) std::printf(" %lld", static_cast<long long>(total));
  std::printf("\n");
}
