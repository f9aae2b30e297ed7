-- Stores the shares and the reply; publishes the news for others.

-- Removes fields of instances that are gone, and fields that are none of ours, a few at a time.
if ARGV[6] == '0' and not (now >= sweptAt and now - sweptAt < SWEEP_EVERY) then
  local found, expired = call('HSCAN', KEYS[1], cursor, 'COUNT', SWEPT), {}
  for n = 1, #found[2], 2 do
    local expires = #found[2][n + 1] <= LONGEST_FIELD and number(match(found[2][n + 1], '^%d+'))
    if not expires or expires <= now then
      expired[#expired + 1] = found[2][n]
    end
  end
  removeFields(KEYS[1], expired)
  sweptAt, cursor = now, found[1]
end

local mustLive = keyStays < stays
if mustLive then
  keyStays = stays + AMPLE
end
local reply = table.concat(answers, ' ')
local head = { text(now + ARGV[3]), sequence, text(keyStays), text(sweptAt), cursor }
kept[#kept + 1], kept[#kept + 2] = RECORD, table.concat(head, ' ') .. '\n' .. reply
call('HSET', KEYS[1], unpack(kept))
removeFields(KEYS[1], removed)
if mustLive and call('PTTL', KEYS[1]) < keyStays - now then
  call('PEXPIRE', KEYS[1], text(keyStays - now + AMPLE))
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
return clock .. ' ' .. fleet.instances .. ' ' .. fleet.rank .. ' ' .. reply
