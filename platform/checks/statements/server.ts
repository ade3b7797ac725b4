import { testsOf } from "./proof.ts";

/** Tests of the server and of the whole house that statements are proved by. */
const calls = testsOf("platform/checks/calls/every-call.test.ts");
export const SERVED = calls("every call of the specification that is built is served by its method and path");
export const NEEDS_LOGIN = calls("a call of the specification needs a log-in exactly where it says so");
export const EXPORT_TIME = calls("an export may take 300 s, a call that says nothing else 30 s");
export const NO_FUNCTION = calls("every call that needs a function refuses who lacks it");

const routes = testsOf("platform/checks/calls/routes.test.ts");
export const ROUTED = routes(
  "every screen is a route of the specification, with its title, its codes and its kind",
);
export const MENUS = routes(
  "every menu is one of the specification, with its title and its code, in its order",
);
export const OPEN_ROUTES = routes(
  "every page without a log-in is there, and no other page is open to strangers",
);
export const REDIRECTS = routes("the addresses that lead elsewhere lead there");

const login = testsOf("platform/checks/groups/groups-login.test.ts");
export const LOGIN_ANSWER = login(
  "the log-in answers token, name and the functions by id, which are those of the user info",
);
export const CAPTCHA_KEY = login(
  "a picture comes as an image whose key stands after '=' in content-disposition",
);
export const SSO_CALL = login("whoever the issuer vouches for comes in with the same answer");
export const REGISTER_CALL = login("a new customer registers with a code");
export const PASSWORD_CALLS = login(
  "a forgotten password is set anew, one's own changed, both numbers for a new phone work",
);
export const LOGOUT_CALL = login("whoever logs out is out");

const message = testsOf("platform/checks/groups/groups-message.test.ts");
export const MESSAGE_CALLS = message(
  "messages: listed, counted by status 0, on the bell with id, title and pushTime, read and deleted by ids",
);
export const ANNOUNCEMENT_CALLS = message("announcements: added, listed, changed, deleted");
export const UPLOAD_CALL = message("a file is uploaded as multipart");
export const VERSION_CALLS = message("version notes stand in data.list, and only the platform writes them");
export const LOG_CALLS = message(
  "the operation log has one shape under v3 and v5, for the list and for one line",
);

const people = testsOf("platform/checks/groups/groups-people.test.ts");
export const ROLE_CALLS = people("roles: added, listed, offered, read and changed");
export const DEPARTMENT_CALLS = people("departments: added, as a tree and a list, read, changed and deleted");
export const OPERATOR_CALLS = people(
  "operators: added, found, read, changed without a password, verified, unlocked, taken out of a role",
);
export const OPERATOR_EXPORT = people("operators come as a workbook");
export const VILLAGE_PEOPLE = people("of a village: who signs, and who manages it");
export const FUNCTION_CALLS = people(
  "functions: the tree, one's own, one for editing; a link is added, changed and deleted",
);

const approval = testsOf("platform/checks/groups/groups-approval.test.ts");
export const EXAMINE_CALLS = approval(
  "approvals: waiting ones are counted, listed and read; one is rejected and handed in again, then granted",
);
export const MODULE_CALLS = approval(
  "modules: types, villages that are free, read, renamed, written whole, given villages",
);
export const PROCESS_CALLS = approval("a process is added to a module, its node changed, and taken away");

const store = testsOf("platform/checks/groups/groups-store.test.ts");
export const VILLAGE_CALLS = store("villages as options, and districts");
export const CUSTOMER_WORDS = store("words about customers: listed, added, changed, deleted");
export const ASSET_WORDS = store("words about assets: listed, added, changed, deleted");
export const FACILITY_WORDS = store("the facilities of a village");
export const FILE_CALLS = store("the mark over the pages, the kinds of downloads and what was downloaded");
export const INDICATOR_CALLS = store("figures: of roles, chosen, given back; their rules read and changed");
export const ACCOUNT_CALLS = store(
  "accounts: added, listed three ways, read, changed, their AppIDs and pay types, deleted",
);
export const ACCOUNT_VILLAGE = store("the accounts of a village: given, listed, changed, taken away");

export const HEADER_ALONE = testsOf("platform/checks/security/sessions.test.ts")(
  "a token counts in the Authorization header alone: not as a cookie, in the address or in the body",
);
export const FREE_TEXTS = testsOf("platform/checks/calls/free-text.test.ts")(
  "no text of a body takes what the specification refuses, unless its kind says why",
);

const pages = testsOf("platform/server/http/pages.test.ts");
export const PAGE_OF_BRAND = pages(
  "comes for every address of the console, in its brand, under a policy with a fresh nonce",
);
export const UNKNOWN_BRAND = pages(
  "a brand that nobody knows stops the start, with the names of those there are",
);
const brands = testsOf("brands/brands.test.ts");
export const TWELVE = brands("there are eleven customers' brands and a default");
export const BRANDS_DIFFER = brands("each customer differs as agreed");

const pipeline = testsOf("platform/server/pipeline/pipeline.test.ts");
export const USER_INFO = pipeline("with a token answers in the envelope, and tells what the person may do");
export const FIXED_401 = pipeline("without a token is refused with the fixed sentence");

export const ROUTE_CODES = testsOf("domains/access/lost/paths.rules.test.ts")(
  "every route that needs a function is known with exactly its functions",
);
export const ACTION_LABELS = testsOf("domains/access/function/function.rules.test.ts")(
  "there are nine actions, each with its label",
);
export const LESS_WITHOUT = testsOf("domains/access/operator/people.server.test.ts")(
  "is what the roles give: a button less, a call refused, and the explanation says what is missing",
);
export const NO_NEW_PASSWORD = testsOf("domains/access/operator/state.server.test.ts")(
  "keeps phone and password that an edit leaves empty, and shows the phone masked",
);
export const SEVEN_DAYS = testsOf("domains/access/session/login.server.test.ts")(
  "has to come again when the seven days are over",
);
export const HASHED_TWICE = testsOf("domains/access/session/login.server.test.ts")(
  "a brand that hashes twice lets the same password in",
);
export const REGISTERED = testsOf("domains/access/application/application.server.test.ts")(
  "waits until the platform lets them in",
);
export const READ_OF_TYPE = testsOf("domains/system/message/message.server.test.ts")(
  "of one type are all marked read, another type stays unread",
);
export const PICTURE_KINDS = testsOf("domains/listing/village/village.rules.test.ts")(
  "pictures of a village are of four kinds, numbered from 0",
);
export const REFUSED_FILES = testsOf("domains/system/file/file.server.test.ts")("refuses %s");
export const LARGEST_FILE = testsOf("domains/system/file/file.server.test.ts")(
  "above 30M is refused before it is read whole",
);
export const LOWEST_PRICE = testsOf("domains/listing/apartment/apartment.server.test.ts")(
  "needs 601 to set a lowest price, and a floor of its own village",
);
