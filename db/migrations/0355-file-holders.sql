-- Pictures of blocks and plans of floors hung on no record: only who uploaded them saw them, and the nightly purge took
-- the pictures and stopped at the plans. What is still there hangs on its record now.
update stored_file f set target_kind = 'roomBlock', target_id = b.id, village_id = b.village_id, needs = '3.get 3.query'
from (select distinct on (file_id) file_id, id, village_id
      from room_block, unnest(file_ids) file_id order by file_id, id) b
where f.id = b.file_id and f.target_kind is null;

update stored_file f set target_kind = 'floor', target_id = p.id, village_id = p.village_id, needs = '6.get 6.query'
from (select distinct on (fl.plan_file_id) fl.plan_file_id, fl.id, bu.village_id
      from floor fl join building bu on bu.id = fl.building_id where fl.plan_file_id is not null
      order by fl.plan_file_id, fl.id) p
where f.id = p.plan_file_id and f.target_kind is null;
