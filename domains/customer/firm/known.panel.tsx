import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { Link } from "react-router";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { certificateOf, creditCode } from "../../../platform/kernel/texts/certificate.ts";
import { checkBlackList } from "../blacklist/blacklist.contract.ts";
import { Black } from "../renter/known.panel.tsx";
import { useSettled } from "../../../platform/console/form/settled.ts";
import { CLEARS } from "../../../platform/console/inputs/clears.tsx";
import type { FirmCalls } from "./firm.contract.ts";
import { FIRM_PAGE, FIRM_TITLE } from "./words.rules.ts";

/** The enterprise has one record per firm: a code that is known offers the link instead of a second record. */
export function KnownFirm({
  calls,
  number,
  kindOfNumber,
  homeVillageId,
  self,
  picking,
  onLinked,
}: {
  calls: FirmCalls;
  /** As typed; only a whole one is looked up. */
  number: string | null | undefined;
  /** The kind of certificate, of whoever trades in person; else it is a credit code. */
  kindOfNumber?: string | null | undefined;
  homeVillageId: number | undefined;
  /** The record being edited knows itself. */
  self: number | undefined;
  /** The form stands over one in which somebody is being chosen: who is found is taken, not opened. */
  picking: boolean;
  onLinked: (id: number) => void;
}) {
  const act = useAct();
  const typed = useSettled(number?.trim() ?? "");
  // only a number that can be right is worth a question
  const wrong = kindOfNumber ? certificateOf(kindOfNumber)(typed) : creditCode(typed);
  const whole = typed && !wrong ? typed : undefined;
  const { data } = useQuery({
    queryKey: [calls.lookup.path, whole],
    queryFn: ({ signal }) => send(calls.lookup, { body: { number: whole! } }, { signal }),
    enabled: whole !== undefined,
    retry: false,
  });
  const black = useQuery({
    ...ask(checkBlackList, { query: { certNo: whole ?? "" } }),
    enabled: whole !== undefined,
    retry: false,
  });
  if (!whole) return null;
  const bar = black.data && black.data.level !== "none" && (
    <Black level={black.data.level} reason={black.data.reason} />
  );
  if (!data || data.found === "none" || data.id === null || data.id === self) return bar || null;
  const id = data.id;
  const title = FIRM_TITLE[calls.kind];
  return (
    <>
      <div className="notice s-orange" role="alert">
        <span className="grow">
          {kindOfNumber ? "该证件号" : "统一社会信用代码"}已登记：{data.maskedName}
          {data.found === "elsewhere" && "，是否关联到本门店？"}
        </span>
        {data.found === "here" && picking ? (
          <Button size="sm" run={() => onLinked(id)}>
            选用
          </Button>
        ) : data.found === "here" ? (
          <Link to={pathTo(FIRM_PAGE[calls.kind], { id })} onClick={() => onLinked(id)}>
            打开该{title}
          </Link>
        ) : (
          may(calls.link.needs) && (
            <Button
              size="sm"
              why={homeVillageId ? undefined : "请先选择登记门店"}
              run={async () => {
                const body = { villageId: homeVillageId!, number: whole };
                await act(calls.link, { params: { id }, body }, { done: "已关联到本门店" });
                onLinked(id);
              }}
            >
              关联到本门店
            </Button>
          )
        )}
      </div>
      {bar}
    </>
  );
}

type Items = readonly { value: string; label: string }[];

/** One of a few words; what a record has from before stays readable among them. */
export const WordPick = ({ words, ...p }: InputProps<string> & { words: readonly string[] }) => (
  <Pick {...p} items={[...new Set([...words, ...(p.value ? [p.value] : [])])].map(asItem)} />
);
const asItem = (word: string) => ({ value: word, label: word });

/** Somebody out of a few; `kept` is who a record has from before. */
export function PersonPick({
  value,
  onChange,
  people,
  kept,
  ...p
}: InputProps<number> & {
  people: readonly { id: number; name: string }[];
  kept?: { id: number; name: string } | undefined;
}) {
  const all = kept && !people.some((o) => o.id === kept.id) ? [...people, kept] : people;
  return (
    <Pick
      {...p}
      value={value === undefined ? undefined : String(value)}
      onChange={(next) => onChange(next ? Number(next) : undefined)}
      items={all.map((o) => ({ value: String(o.id), label: o.name }))}
    />
  );
}

const Pick = ({
  value,
  onChange,
  onBlur,
  id,
  disabled,
  placeholder,
  items,
}: InputProps<string> & { items: Items }) => (
  <Select
    id={id}
    value={value || null}
    disabled={disabled}
    allowClear={CLEARS}
    placeholder={placeholder ?? "请选择"}
    showSearch={{ optionFilterProp: "label" }}
    options={[...items]}
    onChange={(next: string | null | undefined) => onChange(next ?? "")}
    onBlur={onBlur}
  />
);
