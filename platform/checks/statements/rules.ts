import { testsOf } from "./proof.ts";

/** Tests of rules and of the console's own logic that statements are proved by. */
const validators = testsOf("platform/kernel/validators.test.ts");
export const EMPTY = validators(
  "nothing, and the words null and undefined, count as empty; 0 and blanks do not",
);
export const BLANK = validators("blank text is refused where something must be typed");
export const SERIALS = validators("serial numbers and codes");

const decimal = testsOf("platform/kernel/decimal.test.ts");
export const EXACT = decimal("sums, differences and products are exact in decimals");
export const DIVISION = decimal(
  "division rounds half away from zero to 2 decimals and gives 0 for a divisor of 0",
);
export const SHOWN = decimal("numbers are shown with thousands and 2 decimals");

const instant = testsOf("platform/kernel/instant.test.ts");
export const DAY_ENDS = instant("a day begins at 00:00:00 and ends at 23:59:59");
export const INSTANTS = instant("instants are written in the default format");
export const CHINESE = testsOf("platform/kernel/texts/chinese.test.ts")(
  "whole numbers are written and read in Chinese",
);

const note = testsOf("platform/kernel/texts/version-note.test.ts");
export const NOTE_REQUIRED = note("every field of a version note is required");
export const NOTE_LENGTHS = note("each has its length");
export const NOTE_SPECIAL = note("each is looked at for special characters");

const contact = testsOf("platform/kernel/texts/contact.test.ts");
export const MOBILE = contact("a Chinese mobile is 1, then 3 to 9, then nine digits");
export const LANDLINE = contact("a mobile or a landline");
export const OTHER_MOBILE = contact("a new mobile differs from the old one, and the codes are asked for");
export const CONTACT_NAME = contact("a contact's name is letters or Chinese only");
export const EMAIL = contact("e-mail addresses");
export const BANK_CARD = contact("bank cards have 6 to 30 digits and hyphens");

const password = testsOf("platform/kernel/texts/password.test.ts");
export const PASSWORD = password("a password has 6 to 20 characters of at least two kinds");
export const NO_BLANKS = password("blanks and Chinese have no place in it");
export const METER = password("the meter counts kinds");
export const REPEATED = password("the second entry repeats the first, and an edit form may leave it out");

const numbers = testsOf("platform/kernel/numbers.test.ts");
export const INTEGERS = numbers("the four families of integers");
export const RANGES = numbers("the ranges of integers hold at both ends");
export const TENTHS = numbers("tenths run from 0.1 to 9.9");
export const AMOUNTS = numbers("amounts have up to two decimals and an upper bound");
export const AMOUNT_KINDS = numbers("amounts of one and four decimals, signed and positive ones");

const certificate = testsOf("platform/kernel/texts/certificate.test.ts");
export const ID_18 = certificate("an ID card of 18 places carries its check digit");
export const ID_15 = certificate("an ID card of 15 places has a real birthday");
export const CERTIFICATE = certificate("other certificates have 6 to 18 letters and digits");
export const CREDIT_CODE = certificate("a unified social credit code carries its check character");

const names = testsOf("platform/kernel/texts/names.test.ts");
export const NAMES = names("names of villages and products");
export const COMPANY_NAME = names("a company's name has 2 to 30 characters and no outer spaces");
export const ROOM_NAME = names("a room's name may be pure digits and has at most 18 characters");
export const ROOM_NAMES = names("room names stand in a list with commas of either width");
export const FREE_TEXT = names("free text begins plainly and carries no markup");

const image = testsOf("platform/kernel/texts/image.test.ts");
export const IMAGES = image("pictures are jpg, jpeg or png by name and by content");
export const IMAGE_CAPS = image("the caps are the specification's");

const request = testsOf("platform/console/calls/request.test.ts");
export const ENVELOPE = request("the envelope is unwrapped, the token and the idempotency key go along");
export const STATUS_TEXT = request("without a sentence of the server's the status speaks");
export const ONE_401 = request("only the first 401 logs out, until a 200 arms the rule again");
const failure = testsOf("platform/console/calls/failure.test.ts");
export const SHOWN_FAILURE = failure("a refusal warns, a failure is an error, and a 401 shows nothing more");
export const OWN_SENTENCE = failure("the server's own sentence is shown where there is one");

const guard = testsOf("platform/console/session/guard.test.ts");
export const TO_LOGIN = guard("without a token the login page is told where to go on");
export const PAST_LOGIN = guard("with a token the login page leads on");
export const OTHERWISE = guard("everything else is the shell's, and the root is the workbench");

const permits = testsOf("platform/console/session/permits.test.ts");
export const ONE_SET = permits("pages, actions and authority codes become one set");
export const NO_ROLES = permits("an answer without permissions is refused as the specification says");
export const NOT_PERMITTED = permits("what is not permitted is neither shown nor opened");

const screen = testsOf("platform/console/screens/screen.test.ts");
export const MENU_TREE = screen("a menu appears only with a page that exists and is permitted");
export const SUBPAGE = screen("a subpage lights its page and stands under its menu");
export const GREETING = testsOf("platform/console/shell/greeting.test.ts")("by the hour");
export const BADGE = testsOf("domains/system/message/message.rules.test.ts")(
  "the badge counts to 99 and then says 99+",
);
