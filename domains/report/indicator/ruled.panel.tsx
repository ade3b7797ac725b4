import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { GIVEN_RULES, type Rule, type ShownCode } from "./indicator.rules.ts";
import type { Code } from "./figure.rules.ts";
import { indicators } from "./indicator.contract.ts";

/** Which figures the reader's roles see, in their order, and how each is judged. Until that is known: none of them. */
export function useRuling() {
  const { data } = useQuery({ ...ask(indicators), staleTime: 60_000 });
  return useMemo(() => {
    const shown = (data ?? []).filter((i) => i.shown).map((i) => i.code);
    const rules = new Map(data?.map((i) => [i.code, i.rule]));
    return {
      known: data !== undefined,
      shown,
      shows: (...codes: ShownCode[]) => codes.some((code) => shown.includes(code)),
      ruleOf: (code: Code): Rule => rules.get(code) ?? GIVEN_RULES[code],
    };
  }, [data]);
}
export type Ruling = ReturnType<typeof useRuling>;
