type Room = { id: number; name: string; fullName: string; free: boolean; why: string | null };
export type Named = { ids: number[]; wrong: string[] };

const LONGEST = 18;

/**
 * Rooms by their typed names, separated by commas, pauses or lines. Every name that is no room, or one that cannot be
 * had, is told with its reason; then none is taken.
 */
export function roomsNamed(typed: string, rooms: readonly Room[]): Named {
  const names = typed.split(/[,，、\n]/).map((name) => name.trim());
  if (!typed.trim()) return { ids: [], wrong: ["请输入房号"] };
  const seen = new Set<number>();
  const wrong: string[] = [];
  names.forEach((name, i) => {
    const told = (why: string) => wrong.push(`第 ${i + 1} 个${name ? ` ${name}` : ""}：${why}`);
    if (!name) return told("房号不能为空");
    if (name.length > LONGEST) return told(`房号最多${LONGEST}个字`);
    const found = rooms.filter((r) => r.name === name || r.fullName === name);
    const [room] = found;
    if (!room) return told("没有这个房间");
    if (found.length > 1) return told("有多个同名房间，请在下方选择");
    if (!room.free) return told(room.why ?? "不可租");
    return seen.add(room.id);
  });
  return { ids: wrong.length ? [] : [...seen], wrong };
}
