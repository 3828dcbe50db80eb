"""Messages: what is shown, for how long, and what is kept of it."""

from viewer.user import log
from viewer.workspace.messages import LISTED, NOTICE_SECONDS, OFFER_SECONDS, Messages, in_window


def shown(messages, session_message):
    messages.follow(session_message)
    message = messages.current
    return message.text, message.error


def test_a_notice_goes_by_itself_and_an_error_stays():
    now = [0.0]
    messages = Messages(clock=lambda: now[0])
    messages.notice("saved")
    assert shown(messages, None) == ("saved", False)
    assert messages.wait() == NOTICE_SECONDS
    now[0] = NOTICE_SECONDS
    assert messages.current is None
    messages.error("broken")
    now[0] = 1e6
    assert shown(messages, None) == ("broken", True)
    assert shown(messages, "from the session") == ("from the session", True)
    messages.follow(None)
    assert messages.current is None
    assert [message.text for message in messages.latest] == ["saved", "broken", "from the session"]


def test_an_error_of_the_session_goes_with_the_next_message_and_comes_when_it_is_given_again():
    """It came back after each notice, for good: that time does not run backwards, long after somebody had tried."""
    now = [0.0]
    messages = Messages(clock=lambda: now[0])
    messages.follow("no way back", number=1)
    assert messages.current.text == "no way back"
    messages.notice("saved")
    messages.follow("no way back", number=1)
    assert messages.current.text == "saved"
    now[0] = NOTICE_SECONDS
    assert messages.current is None
    messages.follow("no way back", number=2)
    assert (messages.current.text, messages.current.error) == ("no way back", True)


def test_a_doubt_of_the_session_is_a_sentence_that_goes_by_itself():
    now = [0.0]
    messages = Messages(clock=lambda: now[0])
    messages.follow("axes of its own", doubt=True)
    assert (messages.current.text, messages.current.error) == ("Axes of its own", False)
    now[0] = OFFER_SECONDS
    messages.follow("axes of its own", doubt=True)
    assert messages.current is None
    assert [kept.error for kept in messages.latest] == [False]


def test_errors_go_to_the_log():
    Messages().error("body.mass: 0 kg is outside 0.1 to 100 kg")
    assert "error: body.mass: 0 kg is outside" in log.path().read_text("utf-8")


def test_the_list_keeps_the_latest_and_each_once():
    messages = Messages()
    for i in range(LISTED + 5):
        messages.error(f"number {i}")
        messages.error(f"number {i}")
    assert len(messages.latest) == LISTED
    assert messages.latest[-1].text == f"number {LISTED + 4}"
    assert messages.latest[0].text == "number 5"


def test_an_offer_goes_when_it_no_longer_holds():
    messages, so = Messages(clock=lambda: 0.0), [True]
    messages.offer("nothing to do", "Do it", lambda: None, lambda: so[0])
    assert shown(messages, None) == ("nothing to do", False)
    so[0] = False
    assert messages.current is None
    so[0] = True
    assert messages.current is None


def test_an_offer_gives_way_to_what_the_session_says():
    messages = Messages(clock=lambda: 0.0)
    messages.offer("nothing to do", "Do it", lambda: None, lambda: True)
    assert shown(messages, "No race") == ("No race", True)
    messages.offer("nothing to do", "Do it", lambda: None, lambda: True)  # asked for after it
    assert shown(messages, "No race") == ("nothing to do", False)


def test_advice_on_options_ends_with_its_line() -> None:
    told = "a.csv: no moments to fit; --moments declares them\nLeft out roll and pitch: they do not turn"
    shown = "a.csv: no moments to fit\nLeft out roll and pitch: they do not turn"
    assert in_window(told) == f"{shown}; Moments can be declared in the dialog “Columns...”"
