import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Checkbox } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { useKept } from "../../../platform/console/filter/stored-choice.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { mostOpened } from "../../../platform/console/screens/page-usage.ts";
import { useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { theHouse } from "../../../platform/console/screens/slots.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may, mayOpen } from "../../../platform/console/session/permits.ts";
import type { Need } from "../../../platform/kernel/call.ts";
import { getPreference, putPreference } from "../../system/preference/preference.contract.ts";

type Option = { key: string; title: string; group: string };

/** A choice of many things by group, up to a number of them; the order of choosing is kept. */
export function PickDialog({
  title,
  options,
  value,
  most,
  onChange,
  onReset,
  onClose,
}: {
  title: string;
  options: readonly Option[];
  value: readonly string[];
  most: number;
  onChange: (keys: string[]) => void;
  onReset: () => void;
  onClose: () => void;
}) {
  const [picked, setPicked] = useState([...value]);
  const full = picked.length >= most;
  const close = (work: () => void) => () => {
    work();
    onClose();
  };
  return (
    <Dialog
      title={title}
      width={560}
      onClose={onClose}
      footer={
        <Foot
          cancel={onClose}
          note={
            <Button look="text" run={close(onReset)}>
              恢复默认
            </Button>
          }
        >
          <Button look="main" run={close(() => onChange(picked))}>
            确定
          </Button>
        </Foot>
      }
    >
      {most < options.length && (
        <p className="dim">
          已选 {picked.length} 个，最多 {most} 个
        </p>
      )}
      {[...Map.groupBy(options, (o) => o.group)].map(([group, some]) => (
        <fieldset key={group} className="bench__pick">
          <legend>{group}</legend>
          {some.map((o) => (
            <Checkbox
              key={o.key}
              checked={picked.includes(o.key)}
              disabled={full && !picked.includes(o.key)}
              onChange={({ target }) =>
                setPicked(target.checked ? [...picked, o.key] : picked.filter((key) => key !== o.key))
              }
            >
              {o.title}
            </Checkbox>
          ))}
        </fieldset>
      ))}
    </Dialog>
  );
}

export type QuickAct = { title: string; icon: IconName; to: string };

type Start = { title: string; icon: IconName; need?: Need; path: string; query?: Record<string, string> };

/** Of the header, for who has a super type. */
const ACTS: Start[] = [
  {
    title: "新增门店",
    icon: "building",
    need: "6.add",
    path: "/configuration/village",
    query: { action: "1" },
  },
  {
    title: "新增预订",
    icon: "calendar",
    need: "15.add",
    path: "/configuration/BookingManagement",
    query: { action: "1" },
  },
  { title: "记一笔", icon: "edit", path: "/accountManage/addBillFlow" },
];

/** What the days of those who work with customers and with money begin with. */
const WORK: Start[] = [
  {
    title: "新增客源",
    icon: "users",
    need: "15.add",
    path: "/configuration/BookingManagement",
    query: { action: "1" },
  },
  {
    title: "新签合同",
    icon: "file",
    need: "9.add",
    path: "/contract/RenterContractPage",
    query: { draft: "new" },
  },
  { title: "收款", icon: "wallet", need: "102.add", path: "/accountManage/addBillFlow" },
];

const leading = (starts: readonly Start[]): QuickAct[] =>
  starts.flatMap(({ title, icon, need, path, query }) => {
    const to = may(need) ? reach(path, query) : undefined;
    return to ? [{ title, icon, to }] : [];
  });

/** What this person begins with most days, on the workbench. */
export function useDailyActs(): QuickAct[] {
  const quick = useQuickActs();
  return quick.length ? quick : leading(WORK);
}

/** Only for who has a super type ('0' counts), and only what leads somewhere. */
export function useQuickActs(): QuickAct[] {
  const operator = useOperator();
  if (!operator?.superType) return [];
  return leading(ACTS);
}

/**
 * Something this operator chose, the same in every browser. What this browser knew last stands until the answer comes,
 * so nothing jumps; a choice is shown at once and kept on the server.
 */
export function usePreference<T>(key: string, initial: T): [T, (value: T | undefined) => Promise<void>] {
  const client = useQueryClient();
  const [known, keep] = useKept<T | undefined>(key, undefined);
  const queryKey = ["preference", key];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { value } = await sendWire<{ value: T | null }>(getPreference, { params: { key } }, { signal });
      keep(value ?? undefined);
      return value;
    },
    staleTime: 300_000,
    retry: false,
  });
  const set = async (value: T | undefined) => {
    client.setQueryData(queryKey, value ?? null);
    keep(value);
    await sendWire(putPreference, { params: { key }, body: { value: value ?? null } });
  };
  return [(data === undefined ? known : data) ?? initial, set];
}

const MOST = 12;
const AT_FIRST = 8;
const HERE = "/workbench/WorkbenchPage";

/** Pages that somebody may open, in the order of the menu. */
const pages = () =>
  theHouse().screens.filter((s) => s.kind === "page" && s.menu && s.path !== HERE && mayOpen(s));

/** Whether somebody makes records there, changes them, or only looks. */
const rankOf = (codes: readonly number[]): number => {
  const does = (action: string) => codes.some((code) => may(`${code}.${action}` as Need));
  return does("add") ? 0 : does("edit") ? 1 : 2;
};

/** Until somebody chooses: the pages opened most in the last thirty days, then those where they have most to do. */
const usual = (): string[] => {
  const all = pages()
    .toSorted((a, b) => rankOf(a.codes) - rankOf(b.codes))
    .map((s) => s.path);
  const often = mostOpened().filter((path) => all.includes(path));
  return [...new Set([...often, ...all])].slice(0, AT_FIRST);
};

/** 快捷操作 and 常用功能, by what somebody may do until they choose themselves. */
export function QuickCard() {
  const [chosen, setChosen] = usePreference<string[] | undefined>("workbench.shortcuts", undefined);
  const choose = (paths: string[] | undefined) => void setChosen(paths).catch(showFailure);
  const [picking, setPicking] = useState(false);
  const acts = useDailyActs();
  const go = useGo();
  const all = pages();
  const shown = (chosen ?? usual()).flatMap((path) => all.find((s) => s.path === path) ?? []);
  return (
    <section className="card" aria-label={acts.length ? "快捷操作" : "常用功能"}>
      <div className="card__h">
        <h2>{acts.length ? "快捷操作" : "常用功能"}</h2>
        <button type="button" className="more bench__more" onClick={() => setPicking(true)}>
          设置常用
          <Icon name="right" size={12} />
        </button>
      </div>
      {acts.length > 0 && (
        <div className="quick grid gap-4">
          {acts.map((act) => (
            <Button key={act.title} icon={act.icon} run={() => go(act.to)}>
              {act.title}
            </Button>
          ))}
        </div>
      )}
      {acts.length > 0 && shown.length > 0 && <p className="fav__h dim">常用功能</p>}
      {shown.length > 0 ? (
        <div className="fav grid fs-13">
          {shown.map((s) => (
            <Link key={s.path} to={s.path}>
              {s.title}
            </Link>
          ))}
        </div>
      ) : (
        <p className="bench__none">还没有选择常用功能</p>
      )}
      {picking && (
        <PickDialog
          title="设置常用功能"
          most={MOST}
          options={all.map((s) => ({
            key: s.path,
            title: s.title,
            group: theHouse().menus.find((m) => m.path === s.menu)?.title ?? "其他",
          }))}
          value={shown.map((s) => s.path)}
          onChange={choose}
          onReset={() => choose(undefined)}
          onClose={() => setPicking(false)}
        />
      )}
    </section>
  );
}
