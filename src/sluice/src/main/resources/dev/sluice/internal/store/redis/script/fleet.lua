-- The live instances, in a field of KEYS[1]. Its value is "expires", followed by a line "until instance" for each
-- instance. Each instance regularly reports that it is alive, and is dropped a while after its last report. Only one
-- shard has this field.

local fleet = { instances = 0, rank = 0 }

-- Records whether the sender is alive. Its rank is the position of its name in sorted order, so all instances see the
-- same order.
local function attend(field, life)
  local lines, latest = {}, 0
  for line, ends, name in gmatch(field or '', '(\n(%d+) ([^\n]+))') do
    ends = number(ends) or 0
    if name ~= holder and ends > now then
      lines[#lines + 1], latest = line, max(latest, ends)
      fleet.rank = fleet.rank + (name < holder and 1 or 0)
    end
  end
  if life > 0 then
    lines[#lines + 1], latest = '\n' .. text(now + life) .. ' ' .. holder, max(latest, now + life)
    fleet.instances = #lines
  else
    fleet.rank = 0
  end
  kept[#kept + 1], kept[#kept + 2] = FLEET, text(max(latest, now)) .. table.concat(lines)
end

if ARGV[9] ~= '' then
  attend(stored[#fields], ARGV[9] + 0)
end
