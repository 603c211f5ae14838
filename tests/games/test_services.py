"""What services make and refuse, apart from the socket."""

import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games import services
from games.engine.cards import parse_cards
from games.engine.catalogue import GAMES
from games.models import Attempt, Deal, Entry
from games.selectors import shuffled
from games.sentences import why
from games.shuffling import commitment, kinds


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_every_kind_of_every_game_is_dealt_whole_and_sealed(owner: User, slug: str) -> None:
    for kind in kinds(GAMES[slug]):
        deal = services.start(player=owner, game=slug, kind=kind).deal
        assert sorted(parse_cards(deal.deck)) == sorted(list(range(52)) * GAMES[slug].packs)
        assert bool(deal.spare) == (slug == "flower-garden-redeal")
        assert deal.commitment == commitment(deal.nonce, shuffled(deal))


@pytest.mark.django_db
def test_a_garden_without_a_first_move_is_over_before_it_begins_and_counts_for_nothing(owner: User) -> None:
    attempts = (services.start(player=owner, game="flower-garden", kind="shuffled") for _ in range(300))
    dead = next(attempt for attempt in attempts if attempt.outcome == "stuck")
    assert (dead.version, dead.started_at, dead.ended_at) == (0, None, None)


@pytest.mark.django_db(transaction=True)
def test_clicks_at_one_moment_lead_to_one_attempt(rival: User, attempt: Attempt) -> None:
    together = threading.Barrier(3)

    def click() -> None:
        together.wait()
        services.play_deal(player=rival, deal=attempt.deal)
        connection.close()

    clicks = [threading.Thread(target=click) for _ in range(3)]
    for each in clicks:
        each.start()
    for each in clicks:
        each.join()
    assert Attempt.objects.filter(player=rival, deal=attempt.deal).count() == 1


@pytest.mark.django_db
def test_claiming_moves_attempts_once_and_without_doubles(owner: User, stranger: User, attempt: Attempt) -> None:
    same = services.play_deal(player=stranger, deal=attempt.deal)
    services.claim(guest=stranger, member=owner)
    services.claim(guest=stranger, member=owner)
    assert {(kept.pk, kept.number) for kept in Attempt.objects.filter(player=owner)} == {(attempt.pk, 1), (same.pk, 2)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [{"outcome": "winning"}, {"home": 105}, {"outcome": "playing", "ended_at": "2026-01-01T00:00Z"}, {"version": 3}],
)
def test_the_database_keeps_nonsense_out(attempt: Attempt, wrong: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(**wrong)


@pytest.mark.django_db
def test_a_deal_that_was_played_cannot_be_deleted(attempt: Attempt) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Deal.objects.filter(pk=attempt.deal_id).delete()


@pytest.mark.django_db(transaction=True)
def test_check_logs_finds_what_does_not_agree(owner: User, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.games.test_pages import stuck_garden

    attempt = stuck_garden(owner)
    call_command("check_logs")
    assert "logs agree" in capsys.readouterr().out
    for wrong in ({"home": 52}, {"outcome": "given-up"}, {"seconds": 99}):
        Attempt.objects.filter(pk=attempt.pk).update(**wrong)
        with pytest.raises(CommandError, match="1 differences in"):
            call_command("check_logs")
        Attempt.objects.filter(pk=attempt.pk).update(**{name: getattr(attempt, name) for name in wrong})
    Entry.objects.filter(attempt=attempt, number=attempt.version).delete()
    with pytest.raises(CommandError):
        call_command("check_logs")


@pytest.mark.parametrize("slug", GAMES)
def test_every_refusal_has_a_sentence_of_its_own(slug: str) -> None:
    """Ask for every pair of places at many moments; each refusal's code has words, with every card and place named."""
    from games.engine.line import Line
    from games.engine.table import Move
    from games.sentences import _SENTENCES
    from games.shuffling import shuffle

    game = GAMES[slug]
    line = Line.begin(game, game.setup(*shuffle(game, kinds(game)[0])))
    moves = [Move(one, other) for one in game.names.names for other in game.names.names]
    moves += [action.move for action in game.actions]
    for _ in range(15):
        table = line.at.table
        for move in moves:
            refusal = game.refusal(table, move)
            if refusal:
                assert refusal.code in _SENTENCES
                assert "%(" not in why(refusal)
        legal = game.legal_moves(table)
        if not legal:
            break
        line = line.after(str(legal[-1]))
