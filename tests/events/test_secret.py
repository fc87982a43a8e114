"""What derives from the secret outside the blocks, with a salt and without."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from typing import Any

import pytest

from harness.config import Config
from harness.errors import UserError
from harness.events.match import pair
from harness.events.secret import (
    Salt,
    block_key,
    chosen_salt,
    draw_number,
    event_commitment,
    lot,
    parse_salt,
    root_key,
)

SECRET = bytes(range(32))
CONFIG = Config.model_validate(
    {"event": "known", "game": "pazaak", "format": "league", "games": 400, "block_games": 100}
)
RULES = CONFIG.rule_set()[1]
MATCH = pair("match", "Ännchen", "B|b", 400, 100)
HASHES = ["b" * 64, "a" * 64]
SALT = Salt("the lottery", "3 7 ü")


# Made by the code that played the first published events, which knew no salt. They must never
# change while `ALGORITHM` is 1, or old results can no longer be verified.


def test_keys_and_commitments_without_a_salt_stay_what_they_are() -> None:
    root = root_key(SECRET, None)
    assert root == SECRET
    keys = [block_key(root, "pazaak", RULES, MATCH, block).hex() for block in (0, 3)]
    assert keys == [
        "fe95316b934d8ad8e2e9681ba62c39a07f7f2a3a00959a99e4c12f49c7a90451",
        "2b2f213af4ed27a8e4323e46a062656be11a926a61ad0109c30d9a9775ed20e2",
    ]
    assert event_commitment(SECRET, CONFIG, HASHES, RULES) == (
        "a5106ff73c7022991b4de97b77689cefe19184ff2c0758cf185d60b3d0101731"
    )
    assert draw_number(root, "Ännchen").hex() == (
        "b0fc223baef86b5855a03877ee44a05c1dabc81dc46ce00e078363440af6807c"
    )
    lots = [lot(root, "Ännchen", "B|b", number) for number in range(16)]
    assert lots == [1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1]
    assert lots == [1 - lot(root, "B|b", "Ännchen", number) for number in range(16)]


def test_keys_and_commitments_with_a_salt_stay_what_they_are() -> None:
    root = root_key(SECRET, SALT)
    assert root.hex() == "0b5221e9f6a84238b2c84154a9cac050e7bc9bb789b8b3437c8fadfe879018ec"
    assert block_key(root, "pazaak", RULES, MATCH, 0).hex() == (
        "565f7d7e251d6e352d5340bc01a0ce39729185b9479154737fce191bdb7b112f"
    )
    assert event_commitment(SECRET, CONFIG, HASHES, RULES, SALT) == (
        "3a32927baa25b15817988376762cf570fac5dc20d5dcfe172c33adcb104ba413"
    )


def test_the_key_with_a_salt_is_an_hmac_over_plain_json() -> None:
    expected = hmac.new(SECRET, b'["salt",1,"3 7 \\u00fc"]', hashlib.sha256).digest()
    assert root_key(SECRET, SALT) == expected


def test_the_commitment_covers_what_the_salt_will_be_but_not_the_salt() -> None:
    """Otherwise it could not be made before; and it says that there will be one."""
    made = [
        event_commitment(SECRET, CONFIG, HASHES, RULES, salt)
        for salt in (SALT, Salt(SALT.source, None), Salt("another", "3 7 ü"), None)
    ]
    assert made[0] == made[1]
    assert len(set(made)) == 3


def test_different_salts_give_different_keys() -> None:
    texts = ["", " ", "1", "11", '1","1', "[1]", "\\u00fc", "ü", "Ü", "3 7", "37", "3  7"]
    keys = {root_key(SECRET, Salt("", text)) for text in texts}
    assert len(keys | {SECRET}) == len(texts) + 1
    assert root_key(bytes(32), SALT) not in keys


def test_without_its_salt_an_event_derives_nothing() -> None:
    with pytest.raises(UserError, match="waits for its salt, which is to be: the lottery"):
        root_key(SECRET, Salt("the lottery", None))


@pytest.mark.parametrize("text", ["3 7 19", "Zürich", "東京 🎲", "a|b`c`"])
def test_a_salt_is_taken_as_it_is_in_one_form_of_unicode(text: str) -> None:
    for form in ("NFC", "NFD"):
        assert parse_salt("--salt", unicodedata.normalize(form, text)) == text


@pytest.mark.parametrize(
    "text", ["", " ", " x", "3  7", "\t", "3\n7", "3\u200b7", "\u202e37", "3\udcff7", "\0"]
)
def test_a_salt_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="--salt: "):
        parse_salt("--salt", text)


WITHOUT: dict[str, Any] = {"secret": "00"}
AWAITED = {**WITHOUT, **Salt("the lottery", None).facts()}
KNOWN = {**WITHOUT, **SALT.facts()}


@pytest.mark.parametrize(
    ("stored", "source", "text", "chosen"),
    [
        ({}, None, None, None),
        ({}, "the lottery", None, Salt("the lottery", None)),
        (WITHOUT, None, None, None),
        (AWAITED, None, None, Salt("the lottery", None)),
        (AWAITED, "the lottery", "3 7 ü", SALT),
        (AWAITED, None, "3 7 ü", SALT),
        (KNOWN, None, None, SALT),
        (KNOWN, "the lottery", "3 7 ü", SALT),
    ],
)
def test_the_salt_of_a_run(
    stored: dict[str, Any], source: str | None, text: str | None, chosen: Salt | None
) -> None:
    assert chosen_salt(stored, source, text, secret_given=False) == chosen


@pytest.mark.parametrize(
    ("stored", "source", "text", "message"),
    [
        ({}, None, "3 7 ü", "commit first with --salt-from"),
        ({}, "the lottery", "3 7 ü", "a secret that is drawn only now proves nothing"),
        (WITHOUT, None, "3 7 ü", "committed to without a salt"),
        (WITHOUT, "the lottery", None, "committed to without a salt"),
        (AWAITED, "the moon", "3 7 ü", "the commitment says that the salt is 'the lottery'"),
        (KNOWN, None, "3 7 u", "these results have the salt '3 7 ü'"),
        (KNOWN, "the moon", None, "the commitment says that the salt is 'the lottery'"),
    ],
)
def test_no_other_salt_is_mixed_in(
    stored: dict[str, Any], source: str | None, text: str | None, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        chosen_salt(stored, source, text, secret_given=False)


def test_an_event_that_is_over_is_played_again_with_secret_and_salt() -> None:
    assert chosen_salt({}, "the lottery", "3 7 ü", secret_given=True) == SALT
    with pytest.raises(UserError, match="commit first with --salt-from"):
        chosen_salt({}, None, "3 7 ü", secret_given=True)
