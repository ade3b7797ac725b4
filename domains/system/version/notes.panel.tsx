import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { addVersion, deleteVersion, listVersions, editVersion } from "./version.contract.ts";
import { getPreference, putPreference } from "../preference/preference.contract.ts";
import { NOTES_AT_ONCE, seenMark } from "./version.rules.ts";
import "../message/message.css";
import { DatePicker } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { INSTANT_FORMAT } from "../../../platform/kernel/instant.ts";

const TimeInput = ({ value, onChange, onBlur, id, disabled }: InputProps<string>) => (
  <DatePicker
    showTime
    format={INSTANT_FORMAT}
    id={id ?? ""}
    value={value ? dayjs(value) : null}
    disabled={disabled ?? false}
    placeholder="请选择发布时间"
    onChange={(d: Dayjs | null) => onChange(d?.format(INSTANT_FORMAT))}
    {...(onBlur && { onBlur })}
  />
);

export function VersionForm({ note, onClose }: { note?: Row<typeof listVersions>; onClose: () => void }) {
  const common = {
    onClose,
    width: 520,
    label: 80,
    ok: "确定",
    fields: [
      { key: "releaseTime", input: (p: InputProps<string>) => <TimeInput {...p} /> },
      // too long a word is told, not cut
      { key: "version", input: (p: InputProps<string>) => <TextInput {...p} /> },
      { key: "module", input: (p: InputProps<string>) => <TextInput {...p} /> },
      { key: "type", input: (p: InputProps<string>) => <TextInput {...p} /> },
      { key: "content", input: (p: InputProps<string>) => <TextInput {...p} rows={3} max={200} /> },
    ] as const,
  };
  return note ? (
    <FormDialog {...common} call={editVersion} title="编辑版本" initial={note} done="版本修改成功" />
  ) : (
    <FormDialog {...common} call={addVersion} title="新增版本" done="版本新增成功" />
  );
}

const params = { key: "version.seen" };
const newest = ask(listVersions, { query: { pageSize: 1, want: "rows" } });
const seen = ask(getPreference, { params });
const HOUR_MS = 3_600_000;

/** The mark of the newest note while its reader has not seen it, else nothing. */
export function useUnseen(): string {
  const { data: notes } = useQuery({ ...newest, staleTime: HOUR_MS });
  const { data: kept } = useQuery({ ...seen, staleTime: HOUR_MS });
  const mark = seenMark(notes?.list[0]);
  return kept === undefined || kept.value === mark ? "" : mark;
}

/** Only whoever runs the platform writes notes. */
export const mayWrite = (): boolean => may(addVersion.needs);

export function useDelete() {
  const refresh = useRefresh();
  return (note: { id: number; version: string }) =>
    confirm({
      title: "删除版本",
      body: `确定删除版本“${note.version}”吗？`,
      ok: "删除",
      width: 460,
      run: async () => {
        await send(deleteVersion, { params: { id: note.id } });
        toast("版本删除成功");
        void refresh();
      },
    });
}

type Note = Row<typeof listVersions>;

/** Asks for more when it comes into sight. */
function More({ run }: { run: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && run());
    if (mark.current) watch.observe(mark.current);
    return () => watch.disconnect();
  }, [run]);
  return (
    <div ref={mark}>
      <RowsSkeleton rows={2} />
    </div>
  );
}

const One = ({ note, edit, remove }: { note: Note; edit?: () => void; remove?: () => unknown }) => (
  <li>
    <div className="vnotes__head row">
      <b>{note.version}</b>
      <StatusTag tone="grey" dot={false}>
        {note.type}
      </StatusTag>
      <span className="dim">{note.module}</span>
      <span className="grow" />
      {edit && <IconButton icon="edit" small label={`编辑 ${note.version}`} run={edit} />}
      {remove && <IconButton icon="trash" small label={`删除 ${note.version}`} run={remove} />}
    </div>
    <time>{note.releaseTime}</time>
    <p>{note.content}</p>
  </li>
);

/** What each release brought, newest first. */
export function NotesDrawer({ onClose }: { onClose: () => void }) {
  const writes = mayWrite();
  const remove = useDelete();
  const [form, setForm] = useState<{ note?: Note }>();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [listVersions.path, "drawer"],
    queryFn: ({ pageParam }) => send(listVersions, { query: { pageNo: pageParam, pageSize: NOTES_AT_ONCE } }),
    initialPageParam: 1,
    getNextPageParam: (last, all) =>
      all.length * NOTES_AT_ONCE < (last.total ?? 0) ? all.length + 1 : undefined,
  });
  const notes = data?.pages.flatMap((page) => page.list) ?? [];
  const [more] = useState(() => () => void fetchNextPage());
  const client = useQueryClient();
  const unseen = useUnseen();
  useEffect(() => {
    if (!unseen) return;
    client.setQueryData(seen.queryKey, { value: unseen });
    // should it not arrive, the dot is there again next time
    send(putPreference, { params, body: { value: unseen } }).catch(() => undefined);
  }, [client, unseen]);
  return (
    <Drawer title="Version update notes" width={800} modal onClose={onClose}>
      {writes && (
        <Button look="main" icon="plus" run={() => setForm({})}>
          新增版本
        </Button>
      )}
      {!data ? (
        error ? (
          <Broken error={error} retry={refetch} />
        ) : (
          <RowsSkeleton rows={6} />
        )
      ) : notes.length ? (
        <ol className="vnotes">
          {notes.map((note) => (
            <One
              key={note.id}
              note={note}
              {...(writes && { edit: () => setForm({ note }), remove: () => remove(note) })}
            />
          ))}
        </ol>
      ) : (
        <Empty text="还没有版本说明" />
      )}
      {hasNextPage && <More run={more} />}
      {form && <VersionForm {...form} onClose={() => setForm(undefined)} />}
    </Drawer>
  );
}
