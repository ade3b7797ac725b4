import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ask, fetchFile } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { drawCard } from "./card.panel.tsx";
import { shareRoom } from "./lead.contract.ts";
import { shareText, type Share } from "./share.rules.ts";
import "./lead.css";

/** A picture that cannot be had is left out of the card. */
const pictureOf = (fileId: number): Promise<ImageBitmap | undefined> =>
  fetchFile(getFile, { params: { id: fileId } })
    .then(({ blob }) => createImageBitmap(blob))
    .catch(() => undefined);

async function cardOf(share: Share & { pictures: readonly number[] }): Promise<Blob> {
  const pictures = await Promise.all(share.pictures.slice(0, 3).map(pictureOf));
  const canvas = document.createElement("canvas");
  drawCard(
    canvas,
    share,
    pictures.filter((p) => p !== undefined),
  );
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

function save(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

/** The card of a room for a customer: looked at, then saved as a picture or copied as text. */
export function ShareDialog({
  leadId,
  roomId,
  onClose,
}: {
  leadId: number;
  roomId: number;
  onClose: () => void;
}) {
  const { data, error, refetch } = useQuery(ask(shareRoom, { params: { id: leadId }, query: { roomId } }));
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    let made: string | undefined;
    let gone = false;
    void cardOf(data).then((blob) => {
      if (!gone) setUrl((made = URL.createObjectURL(blob)));
    });
    return () => {
      gone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [data]);
  return (
    <Dialog
      title="分享房源"
      width={420}
      onClose={onClose}
      footer={
        data && (
          <>
            <Button run={() => copy(shareText(data))}>复制文字</Button>
            <Button
              look="main"
              why={url ? undefined : "正在生成图片"}
              run={() => save(url!, `${data.storeName}_${data.layout || "房源"}.png`)}
            >
              保存图片
            </Button>
          </>
        )
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : url && data ? (
        <img className="share" src={url} alt={shareText(data)} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Dialog>
  );
}
