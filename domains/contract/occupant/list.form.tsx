import { useState } from "react";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { today } from "../../../platform/console/session/operator.ts";
import { Layer, type OverGrid } from "./add.form.tsx";
import { rowsOf } from "./list.rules.ts";
import { applyOccupantList, checkOccupantList } from "./occupant.contract.ts";

type Checked = Reply<typeof checkOccupantList>;
type Body = Sent<typeof applyOccupantList>["body"];

/** 粘贴名单: a whole list at once; who is new moves in, who lives elsewhere changes rooms. All of it or nothing. */
export function ListForm({ companyId, onDone, onClose }: OverGrid) {
  const form = useForm<Body>(applyOccupantList.body, { companyId, day: today(), rows: [] });
  const [typed, setTyped] = useState("");
  const [checked, setChecked] = useState<Checked>();
  const [busy, setBusy] = useState(false);
  const rows = form.values.rows ?? [];
  const type = (text: string) => {
    setTyped(text);
    setChecked(undefined);
    form.set("rows", rowsOf(text));
  };
  const check = async () => {
    setBusy(true);
    try {
      setChecked(await send(checkOccupantList, { body: { ...(form.values as Body) } }));
    } catch (error) {
      showFailure(error);
    }
    setBusy(false);
  };
  const wrong = checked?.errors.length ?? 0;
  const why = !checked ? "请先检查名单" : wrong ? `名单有 ${wrong} 处错误` : undefined;
  return (
    <Layer
      title="粘贴名单"
      ok="按名单安排"
      form={form}
      why={why}
      send={async (body) => {
        const { changed } = await send(applyOccupantList, { body });
        return `已安排 ${changed} 位入住人`;
      }}
      onDone={onDone}
      onClose={onClose}
    >
      <FormFields
        form={form}
        fields={[{ key: "day", input: (p) => <DayOf {...p} changed={() => setChecked(undefined)} /> }]}
      >
        <div className="fi fi--wide">
          <label className="fi__label" htmlFor="occupant-list">
            名单
          </label>
          <div className="fi__in">
            <TextInput
              id="occupant-list"
              rows={8}
              value={typed}
              placeholder={"姓名\t手机号\t证件号\t房间\n每人一行，可从表格直接粘贴；房间写“搬离”表示搬走"}
              onChange={(text) => type(text ?? "")}
            />
          </div>
          {form.errors.rows && (
            <p className="fi__msg" role="alert">
              {form.errors.rows}
            </p>
          )}
        </div>
        <div className="fi--wide row">
          <Button busy={busy} why={rows.length ? undefined : "请粘贴名单"} run={check}>
            检查名单
          </Button>
          <span className="dim">共 {rows.length} 行</span>
        </div>
        {checked && <Found checked={checked} />}
      </FormFields>
    </Layer>
  );
}

/** Another day is another check. */
const DayOf = ({ changed, onChange, ...p }: InputProps<string> & { changed: () => void }) => (
  <DayInput
    {...p}
    onChange={(day) => {
      changed();
      onChange(day);
    }}
  />
);

const Found = ({ checked: { rows, errors } }: { checked: Checked }) => (
  <div className="fi--wide">
    {errors.length > 0 ? (
      <RowTable
        schema={checkOccupantList.reply.shape.errors}
        rows={errors}
        columns={[
          "row",
          "header",
          "value",
          { key: "msg", show: (e) => <span className="bad">{e.msg}</span> },
        ]}
      />
    ) : (
      <RowTable
        schema={checkOccupantList.reply.shape.rows}
        rows={rows}
        columns={["row", "name", "becomes", "before", "after"]}
      />
    )}
  </div>
);
