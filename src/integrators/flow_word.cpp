// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/flow_word.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace shadow {
namespace {

constexpr std::string_view half_sign = "\u00BD";

/// A flow or a group as it appears in the text: its flows over a unit step and its fraction.
struct Item {
    char letter; ///< '(' for a group, 'B' also for a G
    Word flows;
    double fraction;
    bool is_rest; ///< the fraction was `*`
};

/// Appends a flow, or merges it with the last one if both are of the same part.
void append(Word& word, const Flow& flow) {
    if (!word.empty() && word.back().same_part(flow) && flow.is_exact()) {
        word.back().fraction += flow.fraction;
    } else {
        word.push_back(flow);
    }
}

class Parser {
  public:
    Parser(std::string_view text, int inner, int levels)
        : text_(text), inner_(inner), levels_(levels) {}

    Word parse() {
        Word word = sequence();
        if (at_ < text_.size()) fail("unexpected text");
        return word;
    }

  private:
    Word sequence() {
        std::vector<Item> items;
        while (skip_space(), at_ < text_.size() && text_[at_] != ')' && text_[at_] != '|') {
            items.push_back(item());
        }
        if (items.empty()) fail("a flow is missing");
        if (at_ < text_.size() && text_[at_] == '|') {
            ++at_;
            skip_space();
            mirror(items);
        }
        share_rests(items);
        Word word;
        for (const Item& it : items) {
            for (Flow flow : it.flows) {
                flow.fraction *= it.fraction;
                if (it.letter == '(') flow.gradient *= it.fraction * it.fraction;
                append(word, flow);
            }
        }
        return word;
    }

    Item item() {
        const char letter = text_[at_++];
        Item it{letter == 'G' ? 'B' : letter, {}, 1.0, false};
        switch (letter) {
        case 'A':
            it.flows = {{FlowKind::drift, all_levels, 1.0}};
            break;
        case 'H':
            it.flows = {{FlowKind::exact_motion, 1, 1.0}};
            break;
        case 'B':
            it.flows = {{FlowKind::kick, level(1, all_levels), 1.0}};
            break;
        case 'G':
            it.flows = {
                {FlowKind::gradient_kick, all_levels, 1.0, BathKind::langevin, 0.5, gradient()}};
            break;
        case 'M':
            if (levels_ < 2) fail("a mollified kick needs two levels of forces");
            it.flows = {{FlowKind::mollified_kick, level(2, levels_), 1.0}};
            break;
        case 'F':
            it.flows = {{FlowKind::kick, 1, 1.0}};
            break;
        case 'S':
            it.flows = {{FlowKind::kick, levels_, 1.0}};
            break;
        case 'I':
            it.flows = {{FlowKind::drift, all_levels, 0.5},
                        {FlowKind::implicit_kick, 1, 1.0},
                        {FlowKind::drift, all_levels, 0.5}};
            break;
        case 'J':
            it.flows = {{FlowKind::implicit_kick, all_levels, 1.0}};
            break;
        case 'O':
            it.flows = {{FlowKind::bath, all_levels, 1.0}};
            break;
        case 'P':
            it.flows = {{FlowKind::bath, all_levels, 1.0, BathKind::midpoint}};
            break;
        case 'C':
            it.flows = {{FlowKind::bath, all_levels, 1.0, BathKind::collisions}};
            break;
        case 'Q':
            it.flows = {{FlowKind::bath, all_levels, 1.0, BathKind::pair_friction}};
            break;
        case 'L':
            it.flows = {{FlowKind::bath, all_levels, 1.0, BathKind::pair_exchange}};
            break;
        case 'D':
            it.flows = {{FlowKind::damping, all_levels, 1.0}};
            break;
        case 'X':
            it.flows = {{FlowKind::damping, all_levels, 1.0, BathKind::forward}};
            break;
        case 'Y':
            it.flows = {{FlowKind::damping, all_levels, 1.0, BathKind::backward}};
            break;
        case 'K':
            it.flows = {{FlowKind::damped_kick, all_levels, 1.0}};
            break;
        case 'R':
            it.flows = {{FlowKind::damped_kick, all_levels, 1.0, BathKind::heun}};
            break;
        case 'V':
            it.flows = Parser("B1/2 A1 B1/2", 1, levels_).parse();
            break;
        case '(':
            it.flows = sequence();
            if (at_ >= text_.size() || text_[at_] != ')') fail("')' is missing");
            ++at_;
            if (at_ < text_.size() && text_[at_] == '^') {
                ++at_;
                repeat(it.flows);
                return it;
            }
            break;
        default:
            --at_;
            fail("a flow is one of A, H, I, B, G, F, S, M, J, O, P, C, Q, L, D, X, Y, K, R, V or a "
                 "word in parentheses");
        }
        read_fraction(it);
        return it;
    }

    /// `[k]` after a B or an M.
    ForceLevel level(int lowest, ForceLevel otherwise) {
        if (at_ >= text_.size() || text_[at_] != '[') return otherwise;
        ++at_;
        const double k = number();
        if (!(k >= lowest && k <= levels_) || k != std::floor(k))
            fail(fmt::format("levels of forces are {} to {} here", lowest, levels_));
        if (at_ >= text_.size() || text_[at_] != ']') fail("']' is missing");
        ++at_;
        return static_cast<ForceLevel>(k);
    }

    /// `[c]` after a G.
    double gradient() {
        if (at_ >= text_.size() || text_[at_] != '[') fail("G needs its part of the gradient");
        ++at_;
        const double c = ratio();
        if (!std::isfinite(c)) fail("a part of the gradient is not finite");
        if (at_ >= text_.size() || text_[at_] != ']') fail("']' is missing");
        ++at_;
        return c;
    }

    void repeat(Word& flows) {
        int n = inner_;
        if (at_ < text_.size() && text_[at_] == 'n') {
            ++at_;
        } else {
            const double count = number();
            if (!(count >= 1.0 && count <= 1e6) || count != std::floor(count)) {
                fail("a number of repetitions is a whole number above zero");
            }
            n = static_cast<int>(count);
        }
        const Word once = std::move(flows);
        flows.clear();
        for (int k = 0; k < n; ++k) {
            for (Flow flow : once) {
                flow.fraction /= n;
                flow.gradient /= static_cast<double>(n) * n;
                append(flows, flow);
            }
        }
    }

    void read_fraction(Item& it) {
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with('*')) {
            ++at_;
            it.is_rest = true;
        } else if (rest.starts_with(half_sign)) {
            at_ += half_sign.size();
            it.fraction = 0.5;
        } else {
            it.fraction = ratio();
        }
        if (!std::isfinite(it.fraction)) fail("a fraction is not finite");
    }

    /// A decimal number, or `p/q`.
    double ratio() {
        double value = number();
        if (at_ < text_.size() && text_[at_] == '/') {
            ++at_;
            value /= number();
        }
        return value;
    }

    double number() {
        double value = 0.0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("a fraction is missing");
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    static void mirror(std::vector<Item>& items) {
        for (std::size_t k = items.size() - 1; k-- > 0;) {
            Item back = items[k];
            std::reverse(back.flows.begin(), back.flows.end());
            items.push_back(std::move(back));
        }
    }

    static void share_rests(std::vector<Item>& items) {
        const std::vector<Item> all = items;
        for (Item& it : items) {
            if (!it.is_rest) continue;
            double given = 0.0;
            int rests = 0;
            for (const Item& other : all) {
                if (other.letter != it.letter || other.flows[0].level != it.flows[0].level)
                    continue;
                if (other.is_rest) {
                    ++rests;
                } else {
                    given += other.fraction;
                }
            }
            it.fraction = (1.0 - given) / rests;
        }
    }

    void skip_space() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw InputError(fmt::format(
            "cannot read the word \"{}\" at character {} ({}); write flows such as \"B½ A1 B½\"",
            text_, at_ + 1, why));
    }

    std::string_view text_;
    int inner_, levels_;
    std::size_t at_ = 0;
};

} // namespace

Word parse_word(std::string_view text, int inner, int levels) {
    return Parser(text, inner, levels).parse();
}

double longest_drift(const Word& word) {
    double longest = 0.0;
    for (const Flow& flow : word)
        if (flow.moves()) longest = std::max(longest, std::abs(flow.fraction));
    return longest;
}

bool is_symmetric(const Word& word) {
    for (std::size_t k = 0; k < word.size() / 2; ++k) {
        const Flow& a = word[k];
        Flow b = word[word.size() - 1 - k];
        if (b.kind == FlowKind::damping && b.bath != BathKind::langevin)
            b.bath = b.bath == BathKind::forward ? BathKind::backward : BathKind::forward;
        if (!a.same_part(b) || std::abs(a.fraction - b.fraction) > 1e-14) return false;
    }
    return true;
}

} // namespace shadow
