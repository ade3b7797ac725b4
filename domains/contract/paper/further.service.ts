import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { whyNotFurther } from "../contract/contract.rules.ts";
import { contractNote, contractRecord } from "../contract/record.queries.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { MOST_FURTHER } from "./paper.contract.ts";

/** Keeps uploads of the caller as further documents of a contract, each with its SHA-256. Answers how many. */
export async function addFurther(act: Act, contractId: number, fileIds: readonly number[]): Promise<number> {
  const contract = await contractRecord(act, contractId, true);
  const why = whyNotFurther(contract.state);
  if (why) throw new Refusal("notAllowed", why, 409);
  const wanted = [...new Set(fileIds)];
  const files = await act.tx
    .selectFrom("storedFile")
    .select(["id", "name", "type", "sha256"])
    .where("id", "=", anyOf(wanted))
    // what hangs on the contract already is no further file
    .where("targetKind", "is", null)
    .orderBy("id")
    .execute();
  if (files.length < wanted.length) throw notFound();
  const wrong = (msg: string) => invalid({ field: "fileIds", msg });
  if (files.some((f) => !["application/pdf", "image/jpeg", "image/png"].includes(f.type)))
    throw wrong("只能补传pdf、jpg或png文件");
  const { there } = await act.tx
    .selectFrom("contractDocument")
    .select((eb) => eb.fn.countAll<number>().as("there"))
    .where("contractId", "=", contractId)
    .where("kind", "=", "further")
    .executeTakeFirstOrThrow();
  if (there + files.length > MOST_FURTHER)
    throw wrong(`一份合同最多补传${MOST_FURTHER}个文件，已有${there}个`);
  await attachFiles(act, wanted, {
    targetKind: "contract",
    targetId: contractId,
    villageId: contract.villageId,
    needs: permitOf(contract.kind, "get"),
  });
  await act.tx
    .insertInto("contractDocument")
    .values(
      files.map(({ id: fileId, sha256: fileHash }) => ({
        ...{ contractId, kind: "further", fileId, fileHash },
        createdBy: act.who.operatorId,
        createdAt: act.now,
      })),
    )
    .execute();
  const names = files.map((f) => f.name).join("、");
  await act.note(contractNote(contract, "补传文件", `补传 ${files.length} 个文件：${names}`));
  return files.length;
}
