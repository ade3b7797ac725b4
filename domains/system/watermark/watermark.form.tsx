import { useQuery } from "@tanstack/react-query";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { getWatermark, putWatermark } from "./watermark.contract.ts";
import { DEFAULT_LOOK, filled, PLACEHOLDERS, tileOf } from "./watermark.rules.ts";
import "../config/config.css";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";

type Config = Reply<typeof getWatermark>;
type Body = Sent<typeof putWatermark>["body"];

const VARIABLES = Object.entries(PLACEHOLDERS)
  .map(([name, title]) => `{${name}} ${title}`)
  .join("，");

/** The mark as it stands in the form, over a page that is not one. */
function Preview({ values }: { values: Partial<Body> }) {
  const operator = useOperator();
  const number = (value: number | undefined, otherwise: number) =>
    value === undefined || Number.isNaN(value) ? otherwise : value;
  const text = filled(values.content ?? "", {
    realName: operator?.name ?? "",
    phoneTail: (operator?.phone ?? "").slice(-4),
    account: "account",
    date: operator?.today ?? "",
    brand: "智慧公寓",
  });
  const tile = tileOf({
    text,
    opacity: number(values.opacity, DEFAULT_LOOK.opacity),
    angle: number(values.angle, DEFAULT_LOOK.angle),
    gap: number(values.gap, DEFAULT_LOOK.gap),
  });
  return (
    <figure className="mark-view" aria-label="水印预览">
      <div style={{ backgroundImage: `url("data:image/svg+xml,${encodeURIComponent(tile)}")` }} />
      <figcaption className="dim">{values.enabled ? "预览" : "预览，水印未启用"}</figcaption>
    </figure>
  );
}

function ConfigForm({ config }: { config: Config }) {
  const refresh = useRefresh();
  const form = useForm<Body>(putWatermark.body, config);
  const writes = may(putWatermark.needs);
  const save = async () => {
    const sent = await form.submit(async (body) => {
      await send(putWatermark, { body });
    });
    if (!sent) return;
    toast("水印配置已保存");
    await refresh();
  };
  return (
    <div className="mark-form grid gap-16 card">
      <div>
        <FormFields
          form={form}
          fields={[
            "enabled",
            { key: "content", help: `可用变量：${VARIABLES}` },
            "opacity",
            "angle",
            "gap",
            "scopes",
            {
              key: "villageIds",
              help: "不选则全部门店；选择后只对能看到这些门店的员工生效",
              input: ({ value, onChange }) => (
                <VillagesSelect value={value ?? []} onChange={onChange} width={320} />
              ),
            },
          ]}
        />
        {writes && (
          <div className="acts">
            <Button look="main" busy={form.busy} run={save}>
              保存
            </Button>
            <Wrong form={form} />
          </div>
        )}
      </div>
      <Preview values={form.values} />
    </div>
  );
}

/** 水印配置: the operator's name over pages and on files. */
export default function WatermarkForm() {
  const { data, error, refetch } = useQuery(ask(getWatermark));
  if (data) return <ConfigForm key={data.version} config={data} />;
  return error ? <Broken error={error} retry={refetch} /> : <RowsSkeleton rows={6} />;
}
