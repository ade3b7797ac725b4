import type { Section } from "./proof.ts";
import * as rule from "./rules.ts";
import * as at from "./server.ts";
import * as seen from "./stories.ts";

export const limits: Section = {
  number: "9",
  title: "Business constants and limits",
  statements: [
    ["A token lives 604800000 ms", seen.TOKEN_KEPT, at.SEVEN_DAYS],
    ["The cookie is hzsk_token", seen.TOKEN_KEPT],
    ["The local key of the super type is hzsk_supertype", seen.KEPT_LOCALLY],
    ["The prefix of local keys is sig__", seen.KEPT_LOCALLY],
    ["HTTP time-out: 30000 ms", seen.TIMES, at.EXPORT_TIME],
    ["Time-out of an export: 300000 ms", seen.TIMES, at.EXPORT_TIME],
    ["Time-out of a part of a page: 120 s", seen.CHUNK],
    ["Notification: 4 s", seen.TIMES],
    ["Loading anew after a 401: 1.5 s", seen.FIRST_401],
    ["Loading anew after the log-out: 16 ms", seen.LOGOUT],
    ["Until a text message can be sent again: 60 s", seen.COUNTDOWN],
    ["Between two looks at messages: 50 s", seen.BELL, seen.MORE_MESSAGES],
    ["Password: 6 to 20 characters", rule.PASSWORD],
    ["Version note: version and type 1 to 64, module and content 1 to 200", rule.NOTE_LENGTHS],
    ["Company name: 2 to 30", rule.COMPANY_NAME],
    ["Room name: at most 18", rule.ROOM_NAME],
    ["Bank card: 6 to 30", rule.BANK_CARD],
    ["Certificate: 6 to 18", rule.CERTIFICATE],
    ["Amount: at most 99999999.99", rule.AMOUNTS],
    ["Picture: 2M, 10M, 30M", rule.IMAGE_CAPS],
    ["The badge counts to 99", rule.BADGE, seen.BELL],
    ["The dropdown of messages is at least 200 wide", seen.MORE_MESSAGES],
    ["Dialogs: 360 and 460 wide", seen.NEW_PASSWORD, seen.NEW_PHONE, seen.NOTES],
    ["Drawer: 800 wide", seen.NOTES],
    ["Side menu: 180 and 56", seen.DISPLAY],
    ["Router base: /sams/", at.PAGE_OF_BRAND, seen.ADDRESSES],
    ["Default language: zh-CN", seen.DISPLAY],
    ["Division: 2 decimals by default", rule.DIVISION],
    ["Numbers: 2 decimals by default", rule.SHOWN],
    ["Version label: v7.0.1", seen.NOTES],
    ["Environments: eleven customers and a default", at.TWELVE],
  ],
};
