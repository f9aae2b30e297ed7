-- What instances hold of a counter: a field of KEYS[1], "expires", and for each instance a line "permits until instance".

-- The sender as it stands in a line, whatever it is called.
local holder = me:gsub('%c', '?')

-- Reads the shares of one counter into a claim, or into an earlier frame.
local function readShares(of, field)
  of.isStored, of.expires = true, (match(field, '^%d+') or 0) + 0
  for line, permits, ends, name in field:gmatch('(\n(%d+) (%d+) ([^\n]+))') do
    if name == holder then
      of.stored, of.own = permits + 0, line
    elseif ends + 0 > now then
      of.othersHold, of.holders, of.others = of.othersHold + permits, of.holders + 1, of.others .. line
    else
      of.lapsed, of.changed = of.lapsed + permits, true
    end
  end
end

-- The fields to store, each followed by its value; the fields to remove; and until when KEYS[1] has to live.
local kept, removed, stays = {}, {}, now + max(ARGV[3] - 2 * AMPLE, 0)
-- A lease in ms, and the end of the line of a share with that lease.
local lease, leaseEnds

-- Stores the shares of one counter. The share of an instance that has died must be found as long as the counter counts it.
local function keepShares(of, own)
  local lines = of.others .. own
  if lines ~= '' then
    kept[#kept + 1], kept[#kept + 2] = of.key, text(of.expires) .. lines
  elseif of.isStored then
    removed[#removed + 1] = of.key
  end
end

-- Stores the shares of a claim's counter, if they have changed.
local function keepShare(claim)
  local share, own = claim.share, ''
  if share > 0 then
    if claim.lease ~= lease then
      lease = claim.lease
      leaseEnds = ' ' .. text(now + lease) .. ' ' .. holder
    end
    own = '\n' .. text(share) .. leaseEnds
    claim.expires = max(claim.expires, claim.stays + grace)
    stays = max(stays, claim.expires)
  end
  if share > 0 or claim.stored > 0 or claim.changed then
    keepShares(claim, own)
  end
end
