import { Tick } from "../../../platform/console/inputs/tick.tsx";
/** A record as it is laid beside another, its values in words. */
export type Compared<F extends string> = {
  id: number;
  version: number;
  homeVillageName: string;
  values: Partial<Record<F, string>>;
};

type Props<F extends string> = {
  fields: Partial<Record<F, string>>;
  keep: Compared<F>;
  gone: Compared<F> | undefined;
  /** Fields whose value comes from the record that goes. */
  take: readonly F[];
  onChange: (field: F, fromGone: boolean) => void;
};

/** Field by field: the value that stays. Equal values need no choice. */
export const Choices = <F extends string>({ fields, keep, gone, take, onChange }: Props<F>) => (
  <div className="box fi--wide">
    <table className="tbl merge">
      <thead>
        <tr>
          <th>字段</th>
          <th>保留的记录 · {keep.homeVillageName}</th>
          <th>被并入的记录{gone && ` · ${gone.homeVillageName}`}</th>
        </tr>
      </thead>
      <tbody>
        {(Object.keys(fields) as F[]).map((field) => {
          const values = [keep.values[field] ?? "", gone?.values[field] ?? ""];
          const chosen = take.includes(field) ? 1 : 0;
          const free = gone !== undefined && values[0] !== values[1] && Boolean(values[1]);
          return (
            <tr key={field}>
              <td className="dim">{fields[field]}</td>
              {values.map((value, i) => (
                <td key={i}>
                  {free ? (
                    <Tick
                      one={`take-${field}`}
                      className={chosen === i ? "" : "off"}
                      checked={chosen === i}
                      onChange={() => onChange(field, i === 1)}
                    >
                      {value || "—"}
                    </Tick>
                  ) : (
                    value || "—"
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);
