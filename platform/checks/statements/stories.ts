import { testsOf } from "./proof.ts";

/** Tests in a real browser that statements are proved by. */
const session = testsOf("e2e/access/session.test.ts");
export const TOKEN_KEPT = session(
  "the token is kept in its cookie and locally for 7 days, the flag of its end is cleared, and after 7 days it is gone",
);
export const NO_PERMISSIONS = session("whose permissions do not come is told so, and can try again");
export const COOKIE_ALONE = session("the cookie alone opens the door as well");
export const LOGOUT = session(
  "logging out asks, waits for the server, forgets everything and loads anew 16 ms later",
);
export const AFTER_LOGIN = session("after the login one goes where one wanted to, inside this console only");
export const ADDRESSES = session(
  "a signed-in person does not see the login page; nobody's unknown address ends at the login, theirs at /404 with menu and tabs",
);
export const GREETED = session("the greeting follows the hour");

const errors = testsOf("e2e/house/errors.test.ts");
export const STATUSES = errors(
  "every status has its sentence, the server's own wins, and a code without a sentence is told neutrally",
);
export const LIST_FAILED = errors(
  "what failed stands where the list would be: the sentence, the request's number, and a way to try again",
);
export const TIMES = errors("an answer is waited for 30 s, an export 300 s; a notification stays 4 s");
export const FIRST_401 = errors(
  "of many 401 the first alone speaks, until a 200 arms the rule again; 1.5 s later the page loads anew",
);
export const PAGE_401 = errors(
  "a page that the session no longer opens says so in its place, and the login page knows where one was",
);
export const CHUNK = errors(
  "a page that has not come after 120 s offers to load anew, and loading anew leads to it",
);

const frame = testsOf("e2e/house/frame.test.ts");
export const TABS = frame(
  "tabs close to the left, to the right, all others, singly; the last one stays, and each says why nothing happens",
);
export const DISPLAY = frame(
  "whoever has chosen nothing gets a fixed header and side, the default colour, tabs and Chinese; each choice is kept at once",
);
export const COPIED = frame("what is copied is told, and what cannot be copied as well");
export const NOTES = frame(
  "version notes: each field has its sentence, the dialog closes when it is done, and the list is fresh",
);

const hall = testsOf("e2e/access/hall.test.ts");
export const PHONE_FIELDS = hall(
  "a wrong number, no picture and no code are told under their fields; the old number is refused on leaving the field",
);
export const COUNTDOWN = hall(
  "the button counts from 60 to 1 and comes back; a failure brings it back at once with another picture",
);
export const FORGOTTEN = hall("a forgotten password is set with the code, and the new one opens the door");
export const LOGOUT_FAILED = hall(
  "the network is gone: logging out says 错误, and the token is gone all the same",
);
export const OWN_LOOK = hall("what is set of the frame holds after a reload, for this person alone");
export const MANUAL = hall("使用手册 is a PDF in a tab of its own; a brand may hide it or have another");

const account = testsOf("e2e/access/account.test.ts");
export const NEW_PHONE = account(
  "a new phone: each sentence, the code to the new number, then one signs in again with it",
);
export const NEW_PASSWORD = account(
  "a new password: every sentence, the meter of three levels, and the dialog closes when it is done",
);
export const PICTURE = account(
  "the picture: a click brings another; one that does not come leaves a word to click, and the code asks for it",
);
export const LOGIN_PICTURE = account(
  "after a wrong password the picture is asked for, and changes with each failure",
);

const messages = testsOf("e2e/system/messages.test.ts");
export const BELL = messages(
  "of 120 unread the bell says 99+; one opened leaves 99+, all read leaves no badge; 50 s later a new one is there",
);
export const MESSAGE_BY_ID = messages(
  "another person's message is not there, and an announcement that must be confirmed asks until it is",
);

const header = testsOf("e2e/house/header.test.ts");
export const MORE_MESSAGES = header(
  "the bell hangs at least 200 wide over the unread, both are asked for every 50 s, and 更多消息 leads to the message centre",
);
export const AVATAR = header(
  "under the avatar stand the own phone, the own password and the way out; a brand may leave out the first two",
);
export const QUICK = header(
  "each quick action leads to its form; who lacks the function to add has only the bookkeeping",
);
export const KEPT_LOCALLY = header(
  "the name, the super type, the phone and the number of who signed in are kept in this browser",
);
export const SIDE = header(
  "the menu beside the pages is dark, and light for the brand that is; a narrow screen has it behind a button",
);
export const FRONT = header(
  "before the log-in the brand's picture stands left, what is to be done right, the footer below it",
);
export const ALONE = header(
  "pages for phones stand alone: neither the frame of the log-in nor menu and tabs",
);

const doors = testsOf("e2e/house/doors.test.ts");
export const SSO = doors("the button of single sign-on leads to the issuer and back to the workbench");
export const BRAND_FOUR = doors("the fourth brand's log-in is light with its own colour, title and footer");
export const BRAND_SIX = doors(
  "the sixth brand sends the password hashed twice, and the same password opens the door as everywhere",
);
export const OTHER_API = testsOf("e2e/house/other-origin.test.ts")(
  "a console whose brand has its own API address logs in, shows, uploads and downloads from there",
);

const screens = testsOf("e2e/house/every-role.test.ts");
export const PUBLIC_PAGES = screens("every public page opens without a log-in, $name");
export const PERMITTED_PAGES = screens(
  "as $account every permitted screen opens without an error; the others are not there",
);

const people = testsOf("e2e/access/people.test.ts");
export const FEW_FUNCTIONS = people(
  "a role with few functions, given to a person: they sign in and find just that",
);
export const QUICK_SUPER = people(
  "an ordinary operator has no quick actions; the same person as head of the enterprise has three, and they lead there",
);

const open = testsOf("e2e/house/open-pages.test.ts");
export const AGREEMENT = open("who signs in reads first what they agree to, larger and by its contents");
export const H5 = open(
  "a renter's phone shows a page block by block, its new version at the next look, and nothing once it is off",
);
export const PORTAL = open("the front door greets who is signed in, and shows what the brand has");
export const RETURNED = open("%s says only that the result is on its way");
export const PHONE_UPLOAD = testsOf("e2e/house/phone.test.ts")(
  "three photos taken by phone stand in the form on the desk within 3 s, and are saved with it",
);

const listing = testsOf("e2e/listing/listing.test.ts");
export const NEW_STORE = listing(
  "a store is added from the quick action, gets its buildings by a pattern, and is not opened without an account",
);
export const ROOM_IMPORT = listing(
  "a spreadsheet with a mistake is told by row and column, corrected it is taken, and taken back",
);
export const NEW_LEAD = testsOf("e2e/customer/reserve.test.ts")(
  "a lead is added, a room reserved for it, its money received, and it becomes a contract that is paid 1,000.00",
);
export const OVERVIEW_MOVED = testsOf("e2e/report/overview.test.ts")(
  "the old address leads to the dashboard with what it carries; a figure leads to its records",
);
export const PRODUCTS = testsOf("e2e/listing/products.test.ts")(
  "a room type is added with its ways of paying, gets rooms, and a new price reaches them",
);
export const BOARD = testsOf("e2e/listing/board.test.ts")(
  "the keyboard alone finds a room, walks the wall, picks rooms and opens one; closing leads back to its tile",
);
export const CONTRACT = testsOf("e2e/contract/contract.test.ts")(
  "a clerk signs a contract, from the empty form to the lease",
);
export const COMPANIES = testsOf("e2e/customer/parties.test.ts")(
  "a company is registered, gets its credit, its title and a second contact, and is found again by its code",
);
export const MERCHANTS = testsOf("e2e/customer/parties.test.ts")(
  "two records of one merchant become one, with what comes along said first; also on a phone",
);
export const TENANTS = testsOf("e2e/house/first-day.test.ts")(
  "a free room of the board is let: the tenant is entered, the bills are shown, the paper is signed",
);
export const BILLS = testsOf("e2e/finance/bills.test.ts")(
  "a clerk sees why a bill has its amount, lowers it, and finds the correction on it",
);
export const DAY_REPORT = testsOf("e2e/house/first-day.test.ts")(
  "the cashier takes the first money, and the day's report shows it",
);
export const APPROVALS = testsOf("e2e/system/approval.test.ts")(
  "an administrator adds a lane, tries it, and sees whom it asks",
);
