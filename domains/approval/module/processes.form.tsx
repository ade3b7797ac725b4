import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { ConditionLine } from "./condition.form.tsx";
import type { ActField } from "../examine/condition.rules.ts";
import { FRESH, NodeLine } from "./node.form.tsx";
import type { ProcessInput } from "./process.contract.ts";

type Props = {
  fields: readonly ActField[];
  value: readonly ProcessInput[];
  errors: Record<string, string>;
  onChange: (next: ProcessInput[]) => void;
};

const swapped = <T,>(list: readonly T[], a: number, b: number): T[] =>
  list.map((one, i) => (i === a ? list[b]! : i === b ? list[a]! : one));

/** The processes in order: the first whose conditions all hold is taken, the default stands last. */
export function Processes({ fields, value, errors, onChange }: Props) {
  const last = value.length - 1;
  const put = (at: number, next: ProcessInput) => onChange(value.map((p, i) => (i === at ? next : p)));
  const add = () => {
    const fresh: ProcessInput = {
      name: `流程${value.length}`,
      conditions: [{ field: fields[0]?.key ?? "", op: "gte", value: undefined as never }],
      nodes: [{ ...FRESH }],
    };
    onChange([...value.slice(0, last), fresh, ...value.slice(last)]);
  };
  return (
    <div className="proc">
      {value.map((process, i) => (
        <section key={i} className="proc__one" aria-label={process.name}>
          <header className="proc__h row">
            <TextInput
              value={process.name}
              max={30}
              placeholder="流程名称"
              onChange={(name) => put(i, { ...process, name: name ?? "" })}
            />
            {i === last ? (
              <span className="dim">以上条件都不满足时</span>
            ) : (
              <>
                <span className="grow" />
                <IconButton
                  icon="up"
                  small
                  label="上移"
                  why={i === 0 ? "已是第一个" : undefined}
                  run={() => onChange(swapped(value, i, i - 1))}
                />
                <IconButton
                  icon="down"
                  small
                  label="下移"
                  why={i === last - 1 ? "默认流程始终排在最后" : undefined}
                  run={() => onChange(swapped(value, i, i + 1))}
                />
                <IconButton
                  icon="close"
                  small
                  label={`删除流程 ${process.name}`}
                  run={() => onChange(value.filter((_, k) => k !== i))}
                />
              </>
            )}
          </header>
          <Wrong text={errors[`processes.${i}.name`]} />
          {i !== last && (
            <One process={process} at={i} fields={fields} errors={errors} put={(next) => put(i, next)} />
          )}
          <Nodes process={process} at={i} free={i === last} errors={errors} put={(next) => put(i, next)} />
        </section>
      ))}
      <Button
        icon="plus"
        why={fields.length ? (value.length >= 20 ? "最多20个流程" : undefined) : "请先选择类型"}
        run={add}
      >
        添加条件流程
      </Button>
    </div>
  );
}

const Wrong = ({ text }: { text: string | undefined }) =>
  text ? (
    <p className="fi__msg" role="alert">
      {text}
    </p>
  ) : null;

type Part = {
  process: ProcessInput;
  at: number;
  errors: Record<string, string>;
  put: (next: ProcessInput) => void;
};

/** The conditions, joined by 且. */
function One({ process, at, fields, errors, put }: Part & { fields: readonly ActField[] }) {
  const set = (conditions: ProcessInput["conditions"]) => put({ ...process, conditions });
  return (
    <div className="proc__part grid gap-4">
      <span className="proc__lab fs-13 dim">当</span>
      <div>
        {process.conditions.map((condition, k) => (
          <ConditionLine
            key={k}
            fields={fields}
            value={condition}
            error={["field", "op", "value"]
              .map((f) => errors[`processes.${at}.conditions.${k}.${f}`])
              .find(Boolean)}
            onChange={(next) => set(process.conditions.map((c, n) => (n === k ? next : c)))}
            onRemove={() => set(process.conditions.filter((_, n) => n !== k))}
          />
        ))}
        <Button
          look="text"
          icon="plus"
          why={process.conditions.length >= 8 ? "最多8个条件" : undefined}
          run={() =>
            set([
              ...process.conditions,
              { field: fields[0]?.key ?? "", op: "gte", value: undefined as never },
            ])
          }
        >
          {process.conditions.length ? "且" : "添加条件"}
        </Button>
        <Wrong text={errors[`processes.${at}.conditions`]} />
      </div>
    </div>
  );
}

function Nodes({ process, at, free, errors, put }: Part & { free: boolean }) {
  const set = (nodes: ProcessInput["nodes"]) => put({ ...process, nodes });
  return (
    <div className="proc__part grid gap-4">
      <span className="proc__lab fs-13 dim">依次</span>
      <div>
        {free && !process.nodes.length && <p className="proc__free fs-13 good">免审批，直接生效</p>}
        {process.nodes.map((node, k) => (
          <NodeLine
            key={k}
            at={k + 1}
            value={node}
            errorOf={(field) => errors[`processes.${at}.nodes.${k}.${field}`]}
            onChange={(next) => set(process.nodes.map((n, m) => (m === k ? next : n)))}
            onRemove={() => set(process.nodes.filter((_, m) => m !== k))}
          />
        ))}
        <Button
          look="text"
          icon="plus"
          why={process.nodes.length >= 10 ? "最多10个节点" : undefined}
          run={() => set([...process.nodes, { ...FRESH }])}
        >
          添加节点
        </Button>
        <Wrong text={errors[`processes.${at}.nodes`]} />
      </div>
    </div>
  );
}
