import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dayInZone, timeInZone } from "../../../platform/kernel/day.ts";
import { InstantInput } from "../../../platform/console/inputs/days.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { FileUpload, type FileRef } from "../../../platform/console/files/upload.tsx";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { COUNTER_CHANNEL, type CounterChannel } from "../account/channel.rules.ts";
import { postingDay } from "./receive.contract.ts";
import "./flow.css";

/** The channels side by side: at a counter one click beats two. */
export const ChannelInput = ({ value, onChange, onBlur, id, disabled }: InputProps<CounterChannel>) => (
  <div className="choices grid gap-3" role="radiogroup" id={id}>
    {Object.entries(COUNTER_CHANNEL).map(([code, [text]]) => (
      <button
        key={code}
        type="button"
        role="radio"
        aria-checked={code === value}
        className={code === value ? "on" : ""}
        disabled={disabled}
        onClick={() => onChange(code as CounterChannel)}
        onBlur={onBlur}
      >
        {text}
      </button>
    ))}
  </div>
);

/** When the money moved. Left empty it is now, by the server's clock. */
export const PaidAtInput = (props: InputProps<string>) => (
  <InstantInput {...props} placeholder={`现在 ${timeInZone(new Date()).slice(0, 16)}`} />
);

/** Uploaded papers; the form keeps their ids. */
export function PapersInput({ onChange, id, disabled }: InputProps<number[]>) {
  const [files, setFiles] = useState<FileRef[]>([]);
  return (
    <FileUpload
      id={id}
      disabled={disabled}
      value={files}
      call={UPLOADS.paper10M}
      accept=".jpg,.jpeg,.png,.pdf"
      hint="图片或PDF，最多9个"
      onChange={(next = []) => {
        setFiles(next);
        onChange(next.length ? next.map((f) => f.id) : undefined);
      }}
    />
  );
}

/** Says where money of a locked month is booked. */
export function BookedOn({
  villageId,
  paidAt,
  direction = "in",
}: {
  villageId?: number | undefined;
  paidAt?: string | undefined;
  direction?: "in" | "out" | undefined;
}) {
  const day = paidAt && dayInZone(new Date(paidAt));
  const { data } = useQuery({
    ...ask(postingDay, { query: { villageId: villageId ?? 0, day: day ?? "", direction } }),
    enabled: villageId !== undefined && day !== undefined,
  });
  if (!data || data.day === day) return null;
  return <span className="warned">该月已锁账，将记入 {data.day}，业务日期保留</span>;
}
