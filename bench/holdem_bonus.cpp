// The counting of Hold'em Bonus in plain C++, for comparison: g++ -O2 -pthread holdem_bonus.cpp
// Same method as src/feltwork/odds/odds/kernels/holdem.py. Prints the seconds taken and the totals as JSON.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

using std::int64_t;
using std::uint16_t;
using std::uint8_t;

constexpr int kCategory = 26, kPrimary = 13, kDead = 26, kColumns = 1326, kPairs = 91, kBoards = 6188;
constexpr int64_t kFlush = int64_t{5} << kCategory, kStraight = int64_t{4} << kCategory;
constexpr int64_t kThreeTens = int64_t{3} << kCategory | int64_t{1} << 8 << kPrimary;

static int top_bit(int ranks) {
  while (ranks & (ranks - 1)) ranks &= ranks - 1;
  return ranks;
}
static int top_bits(int ranks, int keep) {
  int size = __builtin_popcount(ranks);
  for (; size > keep; --size) ranks &= ranks - 1;
  return ranks;
}
static int straight_top(int ranks) {
  int s = ranks << 1 | ranks >> 12;
  return top_bit(s & s >> 1 & s >> 2 & s >> 3 & s >> 4) << 3 & 8191;
}
static int64_t flush_value(int ranks) {
  int top = straight_top(ranks);
  if (top) return int64_t{top == 4096 ? 9 : 8} << kCategory | int64_t{top} << kPrimary;
  return kFlush | int64_t{top_bits(ranks, 5)} << kPrimary;
}
static int64_t ranks_value(int one, int two, int three, int four) {
  auto made = [](int64_t category, int64_t primary, int64_t kickers) {
    return category << kCategory | primary << kPrimary | kickers;
  };
  int top = 0;
  if (four) { top = top_bit(four); return made(7, top, top_bit(one & ~top)); }
  if (three) {
    top = top_bit(three);
    if (two & ~top) return made(6, top, top_bit(two & ~top));
  }
  if (int run = straight_top(one)) return made(4, run, 0);
  if (three) return made(3, top, top_bits(one & ~top, 2));
  if (two & (two - 1)) { int both = top_bits(two, 2); return made(2, both, top_bit(one & ~both)); }
  if (two) return made(1, two, top_bits(one & ~two, 3));
  return made(0, top_bits(one, 5), 0);
}

static uint8_t orders[kBoards][kPairs];
static int32_t values[kBoards][kPairs];
static int pair_high[kPairs], pair_low[kPairs];

static int board_index(const int* ranks) {
  int index = 0;
  for (int place = 0; place < 5; ++place) {
    int top = ranks[place] + place, ways = 1;
    for (int step = 0; step <= place; ++step) ways = ways * (top - step) / (step + 1);
    index += ways;
  }
  return index;
}

static void order_rank_pairs() {
  int ranks[5];
  for (ranks[4] = 0; ranks[4] < 13; ++ranks[4])
  for (ranks[3] = 0; ranks[3] <= ranks[4]; ++ranks[3])
  for (ranks[2] = 0; ranks[2] <= ranks[3]; ++ranks[2])
  for (ranks[1] = 0; ranks[1] <= ranks[2]; ++ranks[1])
  for (ranks[0] = 0; ranks[0] <= ranks[1]; ++ranks[0]) {
    int index = board_index(ranks), pair = 0;
    for (int high = 0; high < 13; ++high)
      for (int low = 0; low <= high; ++low, ++pair) {
        int one = 0, two = 0, three = 0, four = 0;
        for (int place = 0; place < 7; ++place) {
          int bit = 1 << (place < 5 ? ranks[place] : place == 5 ? high : low);
          four |= three & bit; three |= two & bit; two |= one & bit; one |= bit;
        }
        values[index][pair] = static_cast<int32_t>(ranks_value(one, two, three, four));
        int spot = pair;
        for (; spot > 0 && values[index][orders[index][spot - 1]] > values[index][pair]; --spot)
          orders[index][spot] = orders[index][spot - 1];
        orders[index][spot] = static_cast<uint8_t>(pair);
        pair_high[pair] = high;
        pair_low[pair] = low;
      }
  }
}

struct Results { int64_t shown[27][27]; uint16_t tens[27][27]; };

struct Table {
  uint8_t types[52];
  int64_t sizes[26];
  int ranks[5], flush_suit, suited, suited_ranks, live;

  void look(const int* board) {
    int tally[4] = {0, 0, 0, 0};
    uint64_t gone = 0;
    for (int place = 0; place < 5; ++place) {
      ++tally[board[place] & 3];
      gone |= uint64_t{1} << board[place];
      int rank = board[place] >> 2, spot = place;
      for (; spot > 0 && ranks[spot - 1] > rank; --spot) ranks[spot] = ranks[spot - 1];
      ranks[spot] = rank;
    }
    flush_suit = -1; suited = 0; suited_ranks = 0;
    for (int suit = 0; suit < 4; ++suit) if (tally[suit] >= 3) { flush_suit = suit; suited = tally[suit]; }
    for (int place = 0; place < 5; ++place)
      if ((board[place] & 3) == flush_suit) suited_ranks |= 1 << (board[place] >> 2);
    std::memset(sizes, 0, sizeof sizes);
    live = 0;
    for (int card = 0; card < 52; ++card) {
      int kind = kDead;
      if (!(gone >> card & 1)) {
        kind = (card >> 2) * 2 + ((card & 3) == flush_suit);
        ++sizes[kind];
        ++live;
      }
      types[card] = static_cast<uint8_t>(kind);
    }
  }

  void settle(Results& out) const {
    int added[64];
    int64_t flush_values[64], pair_values[512];
    uint8_t pairs[512][2];
    int flushes = 0, need = 1, count = 0;
    if (flush_suit >= 0) {
      need = 5 - suited;
      for (int high = 0; high < 14; ++high)
        for (int low = 0; low < std::max(high, 1); ++low) {
          int mask = (1 << high | 1 << low) >> 1;
          if (suited + (high > 0) + (low > 0) < 5 || (mask & suited_ranks)) continue;
          int64_t value = flush_value(suited_ranks | mask);
          int spot = flushes++;
          for (; spot > 0 && flush_values[spot - 1] > value; --spot) {
            flush_values[spot] = flush_values[spot - 1];
            added[spot] = added[spot - 1];
          }
          flush_values[spot] = value;
          added[spot] = high << 4 | low;
        }
    }
    int index = board_index(ranks), flush = 0;
    for (int place = 0; place <= kPairs; ++place) {
      bool last = place == kPairs;
      int64_t value = last ? int64_t{10} << kCategory : values[index][orders[index][place]];
      for (; flush < flushes && flush_values[flush] < value; ++flush) {
        int high = added[flush] >> 4, low = added[flush] & 15;
        for (int rank = low ? low - 1 : 0; rank < (low ? low : 13); ++rank)
          for (int other = 0; other < (high ? 1 : rank + 1); ++other) {
            pairs[count][0] = static_cast<uint8_t>(high ? 2 * high - 1 : 2 * other);
            pairs[count][1] = static_cast<uint8_t>(2 * rank + (low > 0));
            pair_values[count++] = flush_values[flush];
          }
      }
      if (last || need == 0) continue;
      int high = pair_high[orders[index][place]], low = pair_low[orders[index][place]];
      for (int suits = 0; suits < 4; ++suits)
        if ((suits >> 1) + (suits & 1) < need && (high != low || suits < 2)) {
          pairs[count][0] = static_cast<uint8_t>(2 * high + (suits & 1));
          pairs[count][1] = static_cast<uint8_t>(2 * low + (suits >> 1));
          pair_values[count++] = value;
        }
    }
    int64_t below[26] = {}, all_below = 0, dealer_pairs = (live - 2) * (live - 3) / 2;
    for (int start = 0, end; start < count; start = end) {
      int64_t value = pair_values[start];
      for (end = start; end < count && pair_values[end] == value; ++end)
        out.shown[pairs[end][0]][pairs[end][1]] = all_below - below[pairs[end][0]] - below[pairs[end][1]];
      for (int place = start; place < end; ++place) {
        int first = pairs[place][0], second = pairs[place][1];
        if (first == second) {
          all_below += sizes[first] * (sizes[first] - 1) / 2;
          below[first] += sizes[first] - 1;
        } else {
          all_below += sizes[first] * sizes[second];
          below[first] += sizes[second];
          below[second] += sizes[first];
        }
      }
      for (int place = start; place < end; ++place) {
        int first = pairs[place][0], second = pairs[place][1];
        int64_t won = out.shown[first][second];
        int64_t lost = dealer_pairs - (all_below - below[first] - below[second] + 1);
        int64_t packed = won | lost << 16;
        if (value >= kStraight) packed |= won << 32;
        if (value >= kFlush) packed |= won << 48;
        out.shown[first][second] = out.shown[second][first] = packed;
        uint16_t tens = static_cast<uint16_t>(value >= kThreeTens ? won : 0);
        out.tens[first][second] = out.tens[second][first] = tens;
      }
    }
  }

  void add_to(const Results& from, int64_t* row, uint16_t* tens) const {
    for (int high = 1; high < 52; ++high) {
      if (types[high] == kDead) continue;
      int start = high * (high - 1) / 2;
      for (int low = 0; low < high; ++low) {
        row[start + low] += from.shown[types[high]][types[low]];
        tens[start + low] = static_cast<uint16_t>(tens[start + low] + from.tens[types[high]][types[low]]);
      }
    }
  }
};

static void settle_turn(const std::array<int, 4>& seen, int64_t* row, uint16_t* tens) {
  Results flushed{}, plain{};
  Table table;
  int board[5] = {seen[0], seen[1], seen[2], seen[3], 0}, plain_rank = -1;
  for (int river = 0; river < 52; ++river) {
    if (std::find(seen.begin(), seen.end(), river) != seen.end()) continue;
    board[4] = river;
    table.look(board);
    if (table.flush_suit >= 0) {
      table.settle(flushed);
      table.add_to(flushed, row, tens);
      continue;
    }
    if (plain_rank != river >> 2) { plain_rank = river >> 2; table.settle(plain); }
    table.add_to(plain, row, tens);
  }
}

static std::vector<std::array<int, 4>> renamings;
static uint16_t columns[24][kColumns];

static std::pair<int, int> least_code(const int* cards, int size) {
  int best = 1 << 30, which = 0;
  for (int number = 0; number < 24; ++number) {
    int mapped[4];
    for (int i = 0; i < size; ++i) mapped[i] = (cards[i] & ~3) | renamings[number][cards[i] & 3];
    std::sort(mapped, mapped + size);
    int code = 0;
    for (int i = 0; i < size; ++i) code = code * 64 + mapped[i];
    if (code < best) { best = code; which = number; }
  }
  return {best, which};
}

struct Totals { int64_t cell[169][4][6] = {}; };

int main() {
  auto begin = std::chrono::steady_clock::now();
  order_rank_pairs();
  std::array<int, 4> suits{0, 1, 2, 3};
  do renamings.push_back(suits); while (std::next_permutation(suits.begin(), suits.end()));
  uint8_t classes[kColumns];
  for (int high = 1; high < 52; ++high)
    for (int low = 0; low < high; ++low) {
      int column = high * (high - 1) / 2 + low;
      bool same = (high & 3) == (low & 3);
      classes[column] = static_cast<uint8_t>(same ? 13 * (high >> 2) + (low >> 2) : 13 * (low >> 2) + (high >> 2));
      for (int number = 0; number < 24; ++number) {
        int a = (high & ~3) | renamings[number][high & 3], b = (low & ~3) | renamings[number][low & 3];
        columns[number][column] = static_cast<uint16_t>(std::max(a, b) * (std::max(a, b) - 1) / 2 + std::min(a, b));
      }
    }
  std::map<int, int> flop_weights, turn_rows;
  for (int a = 0; a < 52; ++a) for (int b = a + 1; b < 52; ++b) for (int c = b + 1; c < 52; ++c) {
    int cards[3] = {a, b, c};
    ++flop_weights[least_code(cards, 3).first];
  }
  std::vector<std::array<int, 3>> flops;
  std::vector<int64_t> weights;
  std::vector<std::array<int, 52>> row_of, renaming_of;
  std::vector<std::array<int, 4>> boards;
  for (auto [code, weight] : flop_weights) {
    std::array<int, 3> flop{code >> 12, code >> 6 & 63, code & 63};
    std::array<int, 52> rows, names;
    rows.fill(-1);
    names.fill(0);
    for (int turn = 0; turn < 52; ++turn) {
      if (std::find(flop.begin(), flop.end(), turn) != flop.end()) continue;
      int cards[4] = {flop[0], flop[1], flop[2], turn};
      auto [least, which] = least_code(cards, 4);
      auto [it, fresh] = turn_rows.try_emplace(least, static_cast<int>(boards.size()));
      if (fresh) boards.push_back({least >> 18, least >> 12 & 63, least >> 6 & 63, least & 63});
      rows[turn] = it->second;
      names[turn] = which;
    }
    flops.push_back(flop); weights.push_back(weight); row_of.push_back(rows); renaming_of.push_back(names);
  }
  std::vector<int64_t> rows(boards.size() * kColumns);
  std::vector<uint16_t> tens(boards.size() * kColumns);
  auto in_two = [](auto work) { std::thread other(work, 1); work(0); other.join(); };
  in_two([&](int part) {
    for (size_t i = part; i < boards.size(); i += 2) settle_turn(boards[i], &rows[i * kColumns], &tens[i * kColumns]);
  });
  static Totals totals[2];
  in_two([&](int part) {
    std::vector<int64_t> margins(kColumns);
    for (size_t f = part; f < flops.size(); f += 2) {
      std::fill(margins.begin(), margins.end(), 0);
      for (int turn = 0; turn < 52; ++turn) {
        if (row_of[f][turn] < 0) continue;
        const int64_t* row = &rows[size_t(row_of[f][turn]) * kColumns];
        const uint16_t* column = columns[renaming_of[f][turn]];
        for (int i = 0; i < kColumns; ++i) margins[i] += (row[column[i]] & 0xFFFF) - (row[column[i]] >> 16 & 0xFFFF);
      }
      for (int turn = 0; turn < 52; ++turn) {
        if (row_of[f][turn] < 0) continue;
        uint64_t dead = uint64_t{1} << turn;
        for (int card : flops[f]) dead |= uint64_t{1} << card;
        const int64_t* row = &rows[size_t(row_of[f][turn]) * kColumns];
        const uint16_t* three_tens = &tens[size_t(row_of[f][turn]) * kColumns];
        const uint16_t* column = columns[renaming_of[f][turn]];
        for (int high = 1; high < 52; ++high) {
          if (dead >> high & 1) continue;
          for (int low = 0; low < high; ++low) {
            if (dead >> low & 1) continue;
            int at = high * (high - 1) / 2 + low;
            int64_t packed = row[column[at]], won = packed & 0xFFFF, lost = packed >> 16 & 0xFFFF, w = weights[f];
            int64_t* cell = totals[part].cell[classes[at]][(margins[at] > 0) * 2 + (won > lost)];
            cell[0] += w; cell[1] += w * won; cell[2] += w * lost; cell[3] += w * three_tens[column[at]];
            cell[4] += w * (packed >> 32 & 0xFFFF); cell[5] += w * (packed >> 48 & 0xFFFF);
          }
        }
      }
    }
  });
  int64_t sums[6] = {}, turn_bets = 0, river_bets = 0;
  for (auto& total : totals) for (auto& hand : total.cell) for (int bets = 0; bets < 4; ++bets) {
    for (int i = 0; i < 6; ++i) sums[i] += hand[bets][i];
    turn_bets += (bets >> 1) * hand[bets][0];
    river_bets += (bets & 1) * hand[bets][0];
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("{\"seconds\": %.3f, \"decisions\": %lld, \"won\": %lld, \"lost\": %lld, \"won_three_tens\": %lld, "
              "\"won_straight\": %lld, \"won_flush\": %lld, \"turn_bets\": %lld, \"river_bets\": %lld}\n",
              seconds, (long long)sums[0], (long long)sums[1], (long long)sums[2], (long long)sums[3],
              (long long)sums[4], (long long)sums[5], (long long)turn_bets, (long long)river_bets);
}
