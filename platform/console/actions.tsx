import { Dropdown } from "antd";
import type { Need } from "../kernel/call.ts";
import { Button, useBusy } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { may } from "./permits.ts";
import { Tooltip } from "antd";

/** Something to do with a record or a page. Hidden without the permit; greyed with its sentence when `why` says one. */
export type Action = {
  label: string;
  need?: Need;
  /** Why it is not possible now; from the state machine's `refusal`. */
  why?: string | undefined;
  run: () => unknown;
  icon?: IconName;
  danger?: boolean;
  /** The one main thing to do on this layer. */
  main?: boolean;
};

export type Actions = readonly (Action | false | null | undefined)[];

export const permitted = (actions: Actions): Action[] =>
  actions.filter((a): a is Action => Boolean(a) && may((a as Action).need));

const menuOf = (actions: readonly Action[], start: (work: () => unknown) => unknown) => ({
  items: actions.map((a, i) => ({
    key: i,
    danger: a.danger === true && !a.why,
    disabled: Boolean(a.why),
    label: a.why ? (
      <span className="menu-why">
        {a.label}
        <small>{a.why}</small>
      </span>
    ) : (
      a.label
    ),
  })),
  onClick: ({ key, domEvent }: { key: string; domEvent: { stopPropagation: () => void } }) => {
    domEvent.stopPropagation();
    const action = actions[Number(key)];
    if (action && !action.why) start(action.run);
  },
});

/** In a table row: at most three words, then the rest behind the three dots. */
export function RowActions({ actions }: { actions: Actions }) {
  const [busy, start] = useBusy();
  const all = permitted(actions);
  const seen = all.length > 3 ? all.slice(0, 2) : all;
  const rest = all.slice(seen.length);
  return (
    <span className="acts-cell" aria-busy={busy || undefined}>
      {seen.map((a) => (
        <Tooltip key={a.label} title={a.why}>
          <button
            type="button"
            className="linkish"
            aria-disabled={a.why ? true : undefined}
            onClick={() => !a.why && void start(a.run)}
          >
            {a.label}
          </button>
        </Tooltip>
      ))}
      {rest.length > 0 && (
        <Dropdown trigger={["click"]} menu={menuOf(rest, (work) => void start(work))}>
          <button type="button" className="more" aria-label="更多操作">
            {busy ? <span className="btn__spin" /> : <Icon name="more" />}
          </button>
        </Dropdown>
      )}
    </span>
  );
}

/** As buttons: on a record, in a toolbar. The first sentence that stands in the way is also written out with `say`. */
export function ActionButtons({
  actions,
  say = false,
  most = 7,
}: {
  actions: Actions;
  say?: boolean;
  most?: number;
}) {
  const [, start] = useBusy();
  const all = permitted(actions);
  const rest = all.slice(most);
  const why = say ? all.slice(0, most).find((a) => a.why)?.why : undefined;
  return (
    <>
      {all.slice(0, most).map((a) => (
        <Button
          key={a.label}
          look={a.main ? "main" : a.danger ? "danger" : "plain"}
          icon={a.icon}
          why={a.why}
          run={a.run}
        >
          {a.label}
        </Button>
      ))}
      {rest.length > 0 && (
        <Dropdown trigger={["click"]} menu={menuOf(rest, (work) => void start(work))}>
          <button type="button" className="btn" aria-label="更多操作">
            更多
            <Icon name="down" size={12} />
          </button>
        </Dropdown>
      )}
      {why && <span className="acts__why">{why}</span>}
    </>
  );
}
