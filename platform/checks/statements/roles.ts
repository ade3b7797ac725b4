import type { Section } from "./proof.ts";
import * as rule from "./rules.ts";
import * as at from "./server.ts";
import * as seen from "./stories.ts";

export const roles: Section = {
  number: "6",
  title: "Roles and permissions",
  statements: [
    ["The role comes from the function lists of the log-in", at.LOGIN_ANSWER],
    ["Menus are those whose codes are among the user's function ids", seen.FEW_FUNCTIONS, rule.MENU_TREE],
    [
      "Routes are those whose codes are among the user's function ids",
      seen.PERMITTED_PAGES,
      rule.NOT_PERMITTED,
    ],
    ["A button is gone where the page's entry lacks its action", seen.FEW_FUNCTIONS, at.LESS_WITHOUT],
    ["A permission is asked for as permissionId.action", rule.NOT_PERMITTED],
    ["Without role permissions it fails: roles must be a non-null array", rule.NO_ROLES, seen.NO_PERMISSIONS],
    ["Numeric codes guard fine operations", rule.NOT_PERMITTED, at.LOWEST_PRICE],
    ["The server refuses what a function is lacking for", at.NO_FUNCTION],
    ["Super-type users see the quick actions", seen.QUICK_SUPER],
    ["To add a store there needs the permission to add in the store configuration", seen.QUICK],
    ["To add a user's reservation there needs the permission to add in the lead source", seen.QUICK],
    ["Bookkeeping there needs nothing more", seen.QUICK],
    [
      "The platform's super admin, '0', alone publishes, edits and deletes version notes",
      at.VERSION_CALLS,
      seen.NOTES,
    ],
  ],
};
