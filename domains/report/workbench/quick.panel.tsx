import { Checkbox } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { mostOpened } from "../../../platform/console/screens/page-usage.ts";
import { useGo } from "../../../platform/console/screens/page.ts";
import { theHouse } from "../../../platform/console/screens/slots.ts";
import { may, mayOpen } from "../../../platform/console/session/permits.ts";
import type { Need } from "../../../platform/kernel/call.ts";
import { usePreference } from "./preference.panel.tsx";
import { useDailyActs } from "./quick-menu.panel.tsx";

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
      {acts.length > 0 && shown.length > 0 && <p className="fav__h fs-12 dim">常用功能</p>}
      {shown.length > 0 ? (
        <div className="fav grid fs-13">
          {shown.map((s) => (
            <Link key={s.path} to={s.path} className="sub cut">
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

type Option = { key: string; title: string; group: string };

type PickDialogProps = {
  title: string;
  options: readonly Option[];
  value: readonly string[];
  most: number;
  onChange: (keys: string[]) => void;
  onReset: () => void;
  onClose: () => void;
};

/** A choice of many things by group, up to a number of them; the order of choosing is kept. */
export function PickDialog({ title, options, value, most, onChange, onReset, onClose }: PickDialogProps) {
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
          ok="确定"
          run={close(() => onChange(picked))}
        />
      }
    >
      {most < options.length && (
        <p className="dim">
          已选 {picked.length} 个，最多 {most} 个
        </p>
      )}
      {[...Map.groupBy(options, (o) => o.group)].map(([group, some]) => (
        <fieldset key={group} className="bench__pick grid gap-4">
          <legend className="fs-12 dim">{group}</legend>
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
