import type { Read } from "../../../platform/server/pipeline/act.ts";
import { namesOf } from "../examine/detail.queries.ts";
import { governing, wayOf } from "../examine/way.service.ts";
import { chosenProcess, type Values } from "./condition.rules.ts";

const NOTHING = { moduleId: null, moduleName: "", process: null, processName: "", condition: "", nodes: [] };

/** The way that values would take in a village, with the people it would ask. */
export async function trialOf(read: Read, type: string, villageId: number, values: Values) {
  const module = (await governing(read, type, [villageId])).get(villageId);
  if (!module) return NOTHING;
  const { snapshot } = await wayOf(read, type, module, villageId, values);
  const people = await namesOf(read, [...snapshot.nodes.flatMap((n) => n.people), snapshot.fallbackId]);
  const fallback = people.get(snapshot.fallbackId);
  return {
    moduleId: module.id,
    moduleName: module.name,
    process: module.processes.indexOf(chosenProcess(module.processes, values)),
    processName: snapshot.processName,
    condition: snapshot.condition,
    nodes: snapshot.nodes.map((node) => {
      const able = node.people.flatMap((id) => people.get(id) ?? []).filter((p) => p.active);
      const asked = able.length ? able.map((p) => p.name) : fallback ? [`${fallback.name}（兜底）`] : [];
      return { name: node.name, mode: node.mode, who: node.who, people: asked };
    }),
  };
}
