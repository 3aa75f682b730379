"""Lists of a puzzle maker, as files that any lexicon reader can read."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tilelab.letters.lexicon import Accents, parse_lexicon
from tilelab.letters.puzzle_list import (
    ListedWord,
    Need,
    PuzzleList,
    listed,
    noted_list,
    noted_words,
    parse_list,
    read_typed,
)


def test_a_list_is_a_lexicon_whose_comments_say_what_each_word_is_for():
    typed = read_typed("Cat and Rat, dog, cow, pig")
    needs = {"catandrat": (Need.MUST, None), "dog": (Need.NICE, 2.5), "pig": (Need.MUST_NOT, None)}
    made = PuzzleList("Pets", listed(typed, needs), {"rows": "6"})
    assert made.text() == (
        "# title: Pets\n# rows: 6\n# must: Cat and Rat\nCat and Rat\ndog\t2.5\ncow\n"
        "# must not: pig\n"
    )
    lexicon = made.lexicon("pets.txt")
    assert (lexicon.title, lexicon.strings) == ("Pets", ("catandrat", "cow", "dog"))
    assert lexicon.weights.tolist() == [1, 1, 2.5]
    assert made.has_weights
    # The weight of a word that is not in the puzzle does not count.
    assert not PuzzleList("", listed(typed, {"pig": (Need.MUST_NOT, 2.5)})).has_weights
    assert made.strings(Need.MUST) == ("catandrat",)
    assert parse_list(made.text()) == made


def test_a_plain_lexicon_file_is_a_list_of_wishes():
    made = parse_list("# Planets: the eight\nmercury\nVenus\t3\nPluto\t0\n\n")
    assert made.words == (
        ListedWord("mercury", "mercury"),
        ListedWord("Venus", "venus", weight=3.0),
        ListedWord("Pluto", "pluto", weight=0.0),
    )


def test_a_repeated_word_is_the_one_that_its_lexicon_keeps():
    """Noticed: the spelling that is said to be left out, in New puzzle and on a printed sheet."""
    text = "Chêne\t5\nérable\nCHÊNE\nÉrable\t2\n"
    made, lexicon = parse_list(text), parse_lexicon(text.encode(), "trees.txt")
    assert {word.spelling for word in made.words} == {"Chêne", "érable"}
    for word, weight in zip(lexicon.strings, lexicon.weights.tolist(), strict=True):
        assert ListedWord(lexicon.spelling(word), word, weight=weight) in made.words


def test_words_of_a_saved_board_are_a_must_only_if_all_of_them_were():
    needs = {}
    for required in ("2", "1"):
        made = noted_list({"lexicon": "pets.txt", "words": "cat, dog", "required": required})
        needs[required] = made.title, {word.need for word in made.words}
    assert needs == {"2": ("pets", {Need.MUST}), "1": ("pets", {Need.NICE})}
    assert noted_list({"lexicon": "pets.txt"}) is None


def test_a_saved_board_has_the_needs_of_its_words():
    """Noticed: a forbidden word that is not there when the board is opened again."""
    needs = {"cat": (Need.MUST, None), "cow": (Need.MUST_NOT, None)}
    words = PuzzleList("Pets", listed(read_typed("cat, dog, cow"), needs))
    lexicon = words.lexicon("pets.txt")
    notes = noted_words(lexicon, words.strings(Need.MUST), words.strings(Need.MUST_NOT))
    again = noted_list({"lexicon": "pets.txt", "required": "1", **notes})
    assert [again.strings(need) for need in Need] == [("dog",), ("cat",), ("cow",)]


def test_a_spelling_is_noted_if_it_is_read_as_its_word():
    """Noticed: two words of "Washington, D.C.", or "übung" for a board with the letters u and b."""
    data = "Nashorn\nWashington, D.C.\nÜbung\n".encode()
    words = parse_lexicon(data, "pets.txt", accents=Accents.FOLD)
    for accents in Accents:  # a run file does not keep how its list was read
        notes = noted_words(replace(words, accents=accents), words.strings, ["nashorn"])
        assert notes["words"] == "Nashorn, ubung, washingtondc"
        assert notes[Need.MUST_NOT] == "Nashorn"


def test_a_saved_board_has_the_typed_title_of_its_words():
    """Noticed: a sheet with the title "My-pets", as the file is named."""
    typed = listed(read_typed("cat, dog"), {})
    for name, title in (("My-pets.txt", "My pets"), ("pets.txt", "pets")):
        lexicon = PuzzleList(title, typed).lexicon(name)
        notes = noted_words(lexicon)
        assert ("title" in notes) == (title == "My pets")
        assert noted_list({"lexicon": name, **notes}).title == title


_WORDS = st.lists(st.tuples(st.text(max_size=12), st.sampled_from(Need)), max_size=8)


@given(_WORDS, st.text(max_size=20))
def test_whatever_is_listed_is_read_again(pairs, title):
    typed = read_typed("\n".join(text for text, _ in pairs) + "\n")
    chosen = {
        word.string: (need, None) for word, (_, need) in zip(typed.words, pairs, strict=False)
    }
    made = PuzzleList(title, listed(typed, chosen))
    again = parse_list(made.text(), Accents.KEEP)
    assert again.words == made.words
