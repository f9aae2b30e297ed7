-- The other instances: who they are, and what they hold.

local function sharesOf(instance)
  return KEYS[1]:sub(1, #KEYS[1] - #me) .. instance
end

-- The permits of a share, and when its lease ends.
local function share(stored)
  local permits, ends = match(stored, '^(%d+) (%d+)$')
  return (permits or 0) + 0, (ends or 0) + 0
end

local names

-- The names of the others that have shares, alive or not. Counts those alive, and removes dead ones without shares.
local function others()
  if names then
    return names
  end
  names, instances, countedAt = {}, 1, now
  local found = find('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES') or {}
  for n = 1, #found, 2 do
    local name, isAlive = found[n], tonumber(found[n + 1]) > now
    if name ~= me and isAlive then
      instances = instances + 1
    end
    if name ~= me then
      if isAlive or pcall('EXISTS', sharesOf(name)) ~= 0 then
        names[#names + 1] = name
      else
        call('ZREM', KEYS[2], name)
      end
    end
  end
  return names
end

local function numberOfInstances()
  if not isFresh(countedAt) then
    others()
  end
  return instances
end

-- Shares whose leases have ended: the key of each with its fields. They are removed with the writes at the end.
local ended = {}

-- Reads what the others hold of these counters, and takes back shares whose lease has ended.
local function askOthers(claims)
  local fields, owners, frames = {}, {}, {}
  for _, claim in ipairs(claims) do
    claim.isAsked = true
    for frame = 0, #claim.before do
      local n = #fields + 1
      fields[n], owners[n], frames[n] = frame == 0 and claim.key or claim.before[frame], claim, frame
    end
  end
  for _, name in ipairs(others()) do
    local lapsed = {}
    for from = 1, #fields, MOST_ARGUMENTS do
      local found = pcall('HMGET', sharesOf(name), unpack(fields, from, min(#fields, from + MOST_ARGUMENTS - 1)))
      -- A slot is moving to another node, so this share is unknown for a moment. Calls wait, and ask again.
      if found.err then
        for n = from, min(#fields, from + MOST_ARGUMENTS - 1) do
          local claim = owners[n]
          claim.elsewhere = claim.elsewhere + 1
          claim.left = claim.rule.isSum and claim.left or min(claim.left, 0)
        end
      end
      for n = 1, #found do
        if found[n] then
          local permits, ends = share(found[n])
          local at = from + n - 1
          if ends > now then
            owners[at].rule.meet(owners[at], permits, frames[at])
          else
            owners[at].rule.takeBack(owners[at], permits, frames[at])
            lapsed[#lapsed + 1] = fields[at]
          end
        end
      end
    end
    if #lapsed > 0 then
      ended[#ended + 1] = { key = sharesOf(name), fields = lapsed }
    end
  end
end
