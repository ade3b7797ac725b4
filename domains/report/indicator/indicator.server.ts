import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { groupOf, named, ofThem, placesOf, SHOWN_CODES } from "./indicator.rules.ts";
import { CODES, INDICATORS, type Code } from "./figure.rules.ts";
import {
  indicatorRoles,
  indicatorRules,
  indicators,
  resetRoleIndicators,
  setIndicatorRule,
  setRoleIndicators,
} from "./indicator.contract.ts";
import { known, rolesOf, ruling } from "./indicator.queries.ts";
import { chooseFor, judgeBy, resetFor } from "./indicator.service.ts";

const isCode = (code: string): code is Code => code in INDICATORS;

export default [
  /** Those that the caller sees first, in the caller's order. */
  serveRead(indicators, async (read) => {
    const { shown, rules } = await ruling(read);
    const mine = ofThem(shown, SHOWN_CODES);
    return [...mine, ...SHOWN_CODES.filter((code) => !mine.includes(code))].map((code) => {
      const { kind, adds } = isCode(code) ? INDICATORS[code] : { kind: "count" as const, adds: true };
      return {
        code,
        ...named(code),
        group: groupOf(code),
        places: placesOf(code),
        shown: mine.includes(code),
        rule: isCode(code) ? { ...rules[code], kind, adds } : null,
      };
    });
  }),

  serveRead(indicatorRoles, async (read) =>
    (await rolesOf(read).execute()).map((role) => ({
      ...role,
      codes: [...((role.codes && known(role.codes)) ?? SHOWN_CODES)],
      version: role.version ?? 0,
    })),
  ),

  serve(setRoleIndicators, async (act, { body: { roleId, codes, version } }) => ({
    id: roleId,
    version: await chooseFor(act, roleId, codes, version),
  })),

  serve(resetRoleIndicators, async (act, { params, query }) => {
    await resetFor(act, params.id, query.version);
    return null;
  }),

  serveRead(indicatorRules, async (read) => {
    const { rules, kept } = await ruling(read);
    return CODES.map((code) => ({
      code,
      title: INDICATORS[code].title,
      kind: INDICATORS[code].kind,
      ...rules[code],
      version: kept.find((k) => k.code === code)?.version ?? 0,
    }));
  }),

  serve(setIndicatorRule, async (act, { body }) => ({ version: await judgeBy(act, body) })),
];
