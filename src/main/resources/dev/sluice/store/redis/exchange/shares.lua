-- What the sender holds from now on

-- Makes a key stay at least until then; returns until when it does.
local function outlive(key, millis)
  local ttl = call('PTTL', key)
  if ttl < millis - now then
    ttl = millis - now + AMPLE
    call('PEXPIRE', key, text(ttl))
  end
  return now + ttl
end

local kept, returned, stays, longest, lease, leaseEnds = {}, {}, 0, 0, 0, ''
size = 0
for n = 1, #sharing do
  local claim = sharing[n]
  local held = claim.share
  if held > 0 then
    if claim.lease ~= lease then
      lease = claim.lease
      leaseEnds, longest = ' ' .. text(now + lease), max(longest, lease)
    end
    kept[size + 1], kept[size + 2] = claim.key, text(held) .. leaseEnds
    size = size + 2
    if claim.stays > stays then
      stays = claim.stays
    end
  elseif claim.isStored then
    returned[#returned + 1] = claim.key
  end
end
if size > 0 then
  local isBorn = call('HSET', KEYS[3], unpack(kept)) == size / 2
  local isDue = not isFresh(enteredAt)
  if isDue then
    call('ZADD', KEYS[4], text(now + longest + FRESH), me)
    enteredAt = now
  end
  -- A share must be found as long as its counter counts it, even if its holder has died.
  if isBorn or isDue or sharesStay < stays + grace then
    sharesStay = min(outlive(KEYS[3], stays + grace), outlive(KEYS[4], stays + grace))
  end
end
if #returned > 0 then
  call('HDEL', KEYS[3], unpack(returned))
end
for _, of in ipairs(ended) do
  for from = 1, #of.fields, MOST_ARGUMENTS do
    call('HDEL', of.key, unpack(of.fields, from, min(#of.fields, from + MOST_ARGUMENTS - 1)))
  end
end
