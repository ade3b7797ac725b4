import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { Sent } from "../../../platform/kernel/call.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { CHANNELS, unknownVariable } from "../../system/template/template.rules.ts";
import { previewPush, type addPush } from "./push.contract.ts";

type Typed = Sent<typeof addPush>["body"];

const counted = (count: number, unit: string) => `${count.toLocaleString("en-US")} ${unit}`;

/** Who would get what, as the form stands. */
export function Preview({ values: v }: { values: Partial<Typed> }) {
  const ready = Boolean(v.kind && v.villageIds?.length);
  const unknown = v.body ? unknownVariable(v.body) : undefined;
  // the field says what is wrong with it; the count goes on without its text
  const text = unknown ? undefined : v.body;
  const wanted = { ...v, body: text || undefined, title: undefined, at: v.at ?? undefined };
  // nothing is asked before there is somebody to ask about
  const body = useDeferredValue(
    ready ? JSON.stringify({ ...wanted, channels: v.channels?.length ? v.channels : undefined }) : "",
  );
  const { data, error } = useQuery({
    queryKey: [previewPush.path, body],
    queryFn: ({ signal }) => send(previewPush, { body: JSON.parse(body) as never }, { signal }),
    enabled: body !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!ready) return <p className="dim">选择对象和门店后显示人数</p>;
  if (error) return <p className="bad">{sentence(error)}</p>;
  if (!data) return <p className="dim">正在计算…</p>;
  return (
    <div role="status">
      <p className="push__count">
        <b>{counted(data.people, "人")}</b>
        {data.parts > 0 && <span>短信 {counted(data.parts, "条")}</span>}
        {data.skipped.map((s) => (
          <span key={s.reason} className="dim">
            跳过 {s.reason} {s.count}
          </span>
        ))}
        {data.movedTo && <span className="warn">避开门店免打扰时段，将于 {data.movedTo} 发送</span>}
      </p>
      {data.keptHere.some((c) => v.channels?.includes(c)) && (
        <p className="dim">
          {data.keptHere
            .filter((c) => v.channels?.includes(c))
            .map((c) => CHANNELS[c][0])
            .join("、")}
          未接入服务商，仅记录在发件箱，不会实际发出
        </p>
      )}
      {text && data.sample[0] && <p className="push__said">{data.sample[0].text}</p>}
      {data.sample.length > 0 && (
        <ul className="push__sample" aria-label="前20位对象">
          {data.sample.map((s) => (
            <li key={s.id}>
              <span>{s.name}</span>
              <span className="dim">{s.address}</span>
              <span className="dim">{s.text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
