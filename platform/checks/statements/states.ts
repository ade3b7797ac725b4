import type { Section } from "./proof.ts";
import * as rule from "./rules.ts";
import * as at from "./server.ts";
import * as seen from "./stories.ts";

export const states: Section = {
  number: "4",
  title: "States and transitions",
  statements: [
    ["Without a token there is the login", seen.ADDRESSES],
    ["The token is kept in a cookie named hzsk_token", seen.TOKEN_KEPT, seen.COOKIE_ALONE],
    ["The token is kept locally for 7 days", seen.TOKEN_KEPT],
    ["The flag that a token timed out is cleared when one is set", seen.TOKEN_KEPT],
    ["After the login routes come from the permitted function ids", seen.FEW_FUNCTIONS],
    ["The log-out asks, and its button shows that it is sending", seen.LOGOUT],
    ["The log-out asks the server", seen.LOGOUT, at.LOGOUT_CALL],
    ["The log-out forgets token and roles here", seen.LOGOUT],
    ["It forgets them also where the call fails", seen.LOGOUT_FAILED],
    ["16 ms after the log-out the page loads anew", seen.LOGOUT],
    ["A log-out that failed shows an error titled 错误", seen.LOGOUT_FAILED],
    ["On a 401 a message is shown", rule.ONE_401, seen.FIRST_401],
    ["On a 401 the user is logged out", rule.ONE_401, seen.FIRST_401],
    ["1.5 s after a 401 the page loads anew", seen.FIRST_401],
    ["Only the first 401 acts, until an answer with 200", rule.ONE_401, seen.FIRST_401],
    ["The button of the text message says 获取验证码", seen.COUNTDOWN],
    ["After a click it counts from 60 to 1 seconds and is disabled", seen.COUNTDOWN],
    ["Where sending fails it comes back at once", seen.COUNTDOWN],
    ["Where sending fails the captcha changes", seen.COUNTDOWN],
    ["At zero it comes back and can be pressed", seen.COUNTDOWN],
    ["After a new phone one is logged out and the page loads anew", seen.NEW_PHONE],
    ["After a new password the dialog closes", seen.NEW_PASSWORD],
    ["After a version note is added or edited the dialog closes and the list is fresh", seen.NOTES],
    ["Messages are marked as read by their ids", at.MESSAGE_CALLS],
    ["All messages of a type are marked as read", at.MESSAGE_CALLS, at.READ_OF_TYPE],
    ["Messages are deleted by their ids", at.MESSAGE_CALLS],
    ["Unread count and newest messages are asked for every 50 seconds", seen.BELL, seen.MORE_MESSAGES],
    ["A captcha that does not come leaves neither key nor picture", seen.PICTURE, seen.FIRST_401],
  ],
};
