-- Stores what the sender holds from now on, and the reply; publishes the news for others.

local kept, returned, longest, lease, leaseEnds = {}, {}, 0, 0, ''
-- If nothing is held, the record expires after ARGV[3] at most. A share must be found as long as its counter counts it, even if its
-- holder has died.
local stays = now + max(ARGV[3] - 2 * AMPLE, 0)
for n = 1, #sharing do
  local claim = sharing[n]
  local held = claim.share
  if held > 0 then
    if claim.lease ~= lease then
      lease = claim.lease
      leaseEnds, longest = ' ' .. text(now + lease), max(longest, lease)
    end
    kept[#kept + 1], kept[#kept + 2] = claim.key, text(held) .. leaseEnds
    if claim.stays + grace > stays then
      stays = claim.stays + grace
    end
  elseif claim.isStored then
    returned[#returned + 1] = claim.key
  end
end
local mustStay = false
if #kept > 0 and not isFresh(enteredAt) then
  call('ZADD', KEYS[2], text(now + longest + FRESH), me)
  enteredAt, mustStay = now, true
end
if keysStay < stays then
  keysStay, mustStay = stays + AMPLE, true
end

local reply = table.concat(answers, ' ')
local head = { sequence, text(countedAt), text(instances), text(enteredAt), text(keysStay) }
kept[#kept + 1], kept[#kept + 2] = RECORD .. ARGV[6], table.concat(head, ' ') .. '\n' .. reply
call('HSET', KEYS[1], unpack(kept))
for n = 1, mustStay and 2 or 0 do
  if call('PTTL', KEYS[n]) < keysStay - now then
    call('PEXPIRE', KEYS[n], text(keysStay - now + AMPLE))
  end
end
if #returned > 0 then
  call('HDEL', KEYS[1], unpack(returned))
end
for _, of in ipairs(ended) do
  for from = 1, #of.fields, MOST_ARGUMENTS do
    call('HDEL', of.key, unpack(of.fields, from, min(#of.fields, from + MOST_ARGUMENTS - 1)))
  end
end

-- News for the others, in one message. If it cannot be published, the batch is applied all the same.
local news = ''

local function tell(kind, keys)
  if #keys > 0 then
    news = news .. kind .. ' ' .. table.concat(keys, ' ') .. '\n'
  end
end

tell('RECALLED', recalled)
tell('FREED', freed)
tell('USED_UP', usedUp)
if news ~= '' then
  pcall('PUBLISH', ARGV[5], news .. '\n' .. me)
end
return text(now) .. ' ' .. reply
