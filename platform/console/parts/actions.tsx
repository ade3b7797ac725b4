import { Dropdown, Tooltip } from "antd";
import { useState, type ReactElement } from "react";
import type { Call, Need } from "../../kernel/call.ts";
import { ofOtherStates } from "../../kernel/moves.ts";
import { useAct, type Act, type How, type Sending } from "../calls/mutation.ts";
import { Button, useBusy } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { may } from "../session/permits.ts";

/**
 * Something to do with a record or a page. Hidden without the permit and in states that it does not belong to; greyed with
 * its sentence when `why` says another.
 */
export type Action = {
  label: string;
  /** The call that it makes, or that the form which it opens makes: who may not call it does not see it. */
  does?: Call;
  /** For what is no call, such as opening another page, and where less than the call's need is meant. */
  need?: Need;
  /** Why it is not possible now; from the state machine's `refusal`. */
  why?: string | undefined;
  /** It is given what sends calls. */
  run: (act: Act) => unknown;
  icon?: IconName;
  danger?: boolean;
  /** The one main thing to do on this layer. */
  main?: boolean;
};

/** An action that makes one call and no more: what is sent, the toast when it is done, and what is asked first. */
export const doing = <C extends Call>(call: C, sent: Sending<C>, done?: string, ask?: How["ask"]) => ({
  does: call,
  run: (act: Act) => act(call, sent, { ...(done && { done }), ...(ask && { ask }) }),
});

export type Actions = readonly (Action | false | null | undefined)[];

/** What this person may do with the record as it stands; what belongs to other states of it is not listed. */
export const permitted = (actions: Actions): Action[] =>
  actions.filter(
    (a): a is Action => a !== false && !!a && may(a.need ?? a.does?.needs) && !ofOtherStates(a.why),
  );

const menuOf = (actions: readonly Action[], start: (work: Action["run"]) => unknown) => ({
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

/** A word with its reason as a tooltip, when it has one. Tooltips are not free: a table has hundreds of words. */
const Reasoned = ({ why, children }: { why: string | undefined; children: ReactElement }) =>
  why ? <Tooltip title={why}>{children}</Tooltip> : children;

type MoreProps = {
  rest: readonly Action[];
  start: (work: Action["run"]) => void;
  busy: boolean;
  label?: string;
};

/** The three dots. The menu is made when they are pressed first. */
function More({ rest, start, busy, label = "更多操作" }: MoreProps) {
  const [open, setOpen] = useState<boolean>();
  const dots = (
    <button
      type="button"
      className="more"
      aria-label={label}
      aria-haspopup="menu"
      // with its menu it is another button: the focus, which layers go back to, is to be on that one
      autoFocus={open !== undefined}
      onClick={() => open ?? setOpen(true)}
    >
      {busy ? <span className="btn__spin" /> : <Icon name="more" />}
    </button>
  );
  if (open === undefined) return dots;
  return (
    <Dropdown trigger={["click"]} open={open} onOpenChange={setOpen} menu={menuOf(rest, start)}>
      {dots}
    </Dropdown>
  );
}

function useStart() {
  const act = useAct();
  const [busy, begin] = useBusy();
  return [busy, (work: Action["run"]) => void begin(() => work(act))] as const;
}

/** All of them behind the three dots. */
export function MenuOf({ actions, label }: { actions: readonly Action[]; label: string }) {
  const [busy, start] = useStart();
  return <More rest={actions} start={start} busy={busy} label={label} />;
}

/** Letters that three words of a row may have: longer ones would push a column out of sight. */
const ROOM = 10;

/** In a table row: at most three words, then the rest behind the three dots. */
export function RowActions({ actions }: { actions: Actions }) {
  const [busy, start] = useStart();
  const all = permitted(actions);
  const long = all.length === 3 && all.reduce((n, a) => n + a.label.length, 0) > ROOM;
  const seen = all.length > 3 || long ? all.slice(0, 2) : all;
  const rest = all.slice(seen.length);
  return (
    <span className="acts-cell" aria-busy={busy || undefined}>
      {seen.map((a) => (
        <Reasoned key={a.label} why={a.why}>
          <button
            type="button"
            className="linkish"
            aria-disabled={a.why ? true : undefined}
            onClick={() => !a.why && start(a.run)}
          >
            {a.label}
          </button>
        </Reasoned>
      ))}
      {rest.length > 0 && <More rest={rest} start={start} busy={busy} />}
    </span>
  );
}

type ActionButtonsProps = { actions: Actions; say?: boolean; most?: number };

/** As buttons: on a record, in a toolbar. The first sentence that stands in the way is also written out with `say`. */
export function ActionButtons({ actions, say = false, most = 7 }: ActionButtonsProps) {
  const act = useAct();
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
          run={() => a.run(act)}
        >
          {a.label}
        </Button>
      ))}
      {rest.length > 0 && (
        <Dropdown trigger={["click"]} menu={menuOf(rest, (work) => void start(() => work(act)))}>
          <button type="button" className="btn" aria-label="更多操作">
            更多
            <Icon name="down" size={12} />
          </button>
        </Dropdown>
      )}
      {why && <span className="fs-12 dim">{why}</span>}
    </>
  );
}
