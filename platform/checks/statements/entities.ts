import type { Section } from "./proof.ts";
import * as at from "./server.ts";
import * as seen from "./stories.ts";

export const entities: Section = {
  number: "3",
  title: "Entities and their fields",
  statements: [
    [
      "The log-in answers token, realName, firstFuncList and secFuncList, whose entries have an id",
      at.LOGIN_ANSWER,
    ],
    ["User info has name, avatar and role with permissions", at.LOGIN_ANSWER],
    [
      "A permission has permissionId and may have actionEntitySet, whose entries have action",
      at.LOGIN_ANSWER,
      at.USER_INFO,
    ],
    ["The operator's real name and id are kept locally", seen.KEPT_LOCALLY],
    ["The super type is kept locally as hzsk_supertype", seen.KEPT_LOCALLY],
    ["The phone is kept locally as hzsk_phone", seen.KEPT_LOCALLY],
    ["The token is kept locally", seen.TOKEN_KEPT],
    ["The user info is kept locally", seen.KEPT_LOCALLY, seen.TOKEN_KEPT],
    ["The service identifier is kept locally", seen.TOKEN_KEPT],
    ["The authority list is kept locally", seen.TOKEN_KEPT],
    ["The settings are kept locally", seen.DISPLAY],
    ["What is kept locally has the prefix sig__", seen.TOKEN_KEPT, seen.KEPT_LOCALLY],
    [
      "A version note has id, releaseTime (yyyy-MM-dd HH:mm:ss), version, type, module and content",
      at.VERSION_CALLS,
    ],
    ["An unread message has id, title and pushTime", at.MESSAGE_CALLS],
    [
      "The count of messages has totalNum and numList, whose items have status, 0 for unread",
      at.MESSAGE_CALLS,
    ],
    ["Pictures of a village: 0 common area, 1 indoor, 2 unit layout, 3 surroundings", at.PICTURE_KINDS],
    ["A captcha has a key, which comes in a header, and a picture", at.CAPTCHA_KEY],
    ["Asking for a code sends phone, type, imageCode and imageCodeKey", at.PASSWORD_CALLS],
    ["The form of a new phone has mobile, password, imageCode and captcha", seen.PHONE_FIELDS],
    ["A new phone is sent as code, name, newPhone and password", at.PASSWORD_CALLS],
    ["The form of a new password has password, its repetition, imageCode and captcha", seen.NEW_PASSWORD],
    ["A new password is sent as code, password and phone", at.PASSWORD_CALLS],
    [
      "Actions are add, delete, edit, query, get, enable, disable, import and export, each with its label",
      at.ACTION_LABELS,
    ],
    ["There are announcements", at.ANNOUNCEMENT_CALLS],
    ["There are approvals", at.EXAMINE_CALLS],
    ["There are merchant accounts of the platform and of villages", at.ACCOUNT_CALLS, at.ACCOUNT_VILLAGE],
    ["There are modules with processes and nodes", at.MODULE_CALLS, at.PROCESS_CALLS],
    ["There are functions", at.FUNCTION_CALLS],
    ["There are roles", at.ROLE_CALLS],
    ["There are departments", at.DEPARTMENT_CALLS],
    [
      "There are operators, who are unlocked, exported and given villages",
      at.OPERATOR_CALLS,
      at.OPERATOR_EXPORT,
    ],
    ["There is an operation log", at.LOG_CALLS],
    ["There are version notes", at.VERSION_CALLS],
    [
      "There are dictionaries of customers, assets and facilities",
      at.CUSTOMER_WORDS,
      at.ASSET_WORDS,
      at.FACILITY_WORDS,
    ],
    ["There are roles and rules of indicators", at.INDICATOR_CALLS],
    ["There is a configuration of the watermark", at.FILE_CALLS],
    ["There are kinds and records of downloads", at.FILE_CALLS],
  ],
};
