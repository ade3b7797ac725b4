import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { useUnsaved } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { PicturesInput } from "../room/pictures.panel.tsx";
import { setVillagePictures, villagePictures } from "./setting.contract.ts";
import { PICTURES_PER_TYPE, PICTURE_TYPES } from "./village.rules.ts";

type Pictures = Reply<typeof villagePictures>;

/** Pictures in the four groups that the specification names; drag to order, the first is the cover. */
export function VillagePictures({ village }: { village: { id: number; version: number } }) {
  const { data, error, refetch } = useQuery(ask(villagePictures, { params: { id: village.id } }));
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={4} />;
  return <Groups key={data.map((p) => p.id).join()} village={village} pictures={data} />;
}

function Groups({ village, pictures }: { village: { id: number; version: number }; pictures: Pictures }) {
  const refresh = useRefresh();
  const [groups, setGroups] = useState(() =>
    PICTURE_TYPES.map((_, type) => pictures.filter((p) => p.type === type).map((p) => p.fileId)),
  );
  const captions = new Map(pictures.map((p) => [p.fileId, p.caption]));
  const now = groups.flatMap((ids, type) =>
    ids.map((fileId) => ({ type, fileId, caption: captions.get(fileId) ?? "" })),
  );
  const dirty =
    JSON.stringify(now.map((p) => [p.type, p.fileId])) !==
    JSON.stringify(pictures.map((p) => [p.type, p.fileId]));
  useUnsaved(dirty);
  const readOnly = !may("6.edit");
  const save = async () => {
    await send(setVillagePictures, {
      params: { id: village.id },
      body: { version: village.version, pictures: now },
    });
    toast("图片已保存");
    await refresh();
  };
  return (
    <>
      {PICTURE_TYPES.map((title, type) => (
        <section key={title}>
          <h3 className="form__section">
            {title}
            <small>
              {groups[type]!.length} / {PICTURES_PER_TYPE}
            </small>
          </h3>
          <PicturesInput
            value={groups[type]}
            onChange={(ids) => setGroups(groups.with(type, ids ?? []))}
            most={PICTURES_PER_TYPE}
            disabled={readOnly}
          />
        </section>
      ))}
      {!readOnly && (
        <p className="acts">
          <Button look="main" why={dirty ? undefined : "没有修改"} run={save}>
            保存图片
          </Button>
          <span className="dim">拖动可调整顺序，第一张作为封面</span>
        </p>
      )}
    </>
  );
}
