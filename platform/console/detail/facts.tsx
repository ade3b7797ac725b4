import { Tooltip } from "antd";
import type { CSSProperties, ReactNode } from "react";
import type { Call, Reply } from "../../kernel/call.ts";
import type { Fen } from "../../kernel/fen.ts";
import { Icon } from "../parts/icons.tsx";
import { lookOf, Money } from "../parts/kinds.tsx";
import { metaAt, shapeOf } from "../list/list-schema.ts";

/** A field of the reply by name, or a label with its own look. `wide` takes the whole line. */
export type Fact<D> =
  | (keyof D & string)
  | { key: keyof D & string; title?: string; show?: (data: D) => ReactNode; wide?: boolean }
  | { title: string; show: (data: D) => ReactNode; wide?: boolean };

type FactsProps<C extends Call> = {
  call: C;
  data: Reply<C>;
  facts: readonly Fact<Reply<C>>[];
  cols?: number;
};

/** Labels and values of one record in columns, labels from the contract. */
export function Facts<C extends Call>({ call, data, facts, cols = 3 }: FactsProps<C>) {
  const shape = shapeOf(call.reply);
  return (
    <dl className="facts" style={{ "--cols": cols } as CSSProperties}>
      {facts.map((fact) => {
        const f = typeof fact === "string" ? { key: fact } : fact;
        const key = "key" in f ? f.key : undefined;
        const meta = key === undefined ? undefined : metaAt(shape, key);
        const title = ("title" in f && f.title) || meta?.title || "";
        const value = key === undefined ? undefined : (data as Record<string, unknown>)[key];
        return (
          <Fragmented
            key={key ?? title}
            title={title}
            help={meta?.help}
            wide={"wide" in f && f.wide === true}
          >
            {"show" in f && f.show ? f.show(data) : meta && lookOf(meta, value)}
          </Fragmented>
        );
      })}
    </dl>
  );
}

type FragmentedProps = { title: string; help: string | undefined; wide: boolean; children: ReactNode };
const Fragmented = ({ title, help, wide, children }: FragmentedProps) => (
  <>
    <dt>
      {title}
      {help && <Help text={help} />}
    </dt>
    <dd className={wide ? "wide" : ""}>{children}</dd>
  </>
);

/** A small (i) with the formula or source of a value. */
export const Help = ({ text }: { text: ReactNode }) => (
  <Tooltip title={text}>
    <span className="help" role="img" tabIndex={0} aria-label={typeof text === "string" ? text : "说明"}>
      <Icon name="info" size={12} />
    </span>
  </Tooltip>
);

/** One amount of a strip. `key` marks the one that matters: red while there is something. */
export type StripItem = {
  title: string;
  fen?: Fen | null | undefined;
  show?: ReactNode;
  key?: boolean;
  help?: ReactNode;
  /** Opens the rows that it is the sum of. */
  run?: (() => void) | undefined;
};

/** The amounts of a record, side by side; nothing where it has none. */
export const MoneyStrip = ({ items }: { items: readonly StripItem[] }) =>
  items.length > 0 && (
    <div className="strip">
      {items.map((item) => (
        <div key={item.title} className={item.key && item.fen ? "key" : ""}>
          <span>
            {item.title}
            {item.help && <Help text={item.help} />}
          </span>
          <b className={item.fen === 0 ? "dim" : ""}>
            {item.run ? (
              <button type="button" className="linkish" onClick={item.run}>
                {item.show ?? <Money fen={item.fen} />}
              </button>
            ) : (
              (item.show ?? <Money fen={item.fen} />)
            )}
          </b>
        </div>
      ))}
    </div>
  );
