-- Stores the shares and the reply, and publishes the news.

-- The unit of a stub's expiry time. A coarse unit keeps the stub short.
local HOUR = 3600000

-- Reduces a record to its stub. The stub contains its expiry time in hours since 1970 and the sequence. If grants
-- counted as used immediately, it also contains these grants and the time.
local function leaveStub(field, record, expires)
  local sequence, _, _, _, atOnce, reply = parse(record)
  if reply and field:sub(1, 8) == '!answer:' then
    kept[#kept + 1] = stubOf(field)
    kept[#kept + 1] = text(ceil((expires + ARGV[7]) / HOUR)) .. ' ' .. match(sequence, '^0*(%d+)$')
      .. (atOnce ~= '' and ' ' .. (match(reply, '^%d+ %d+ (%d+)') or 0) .. atOnce or '')
  end
end

-- Remove a few of the expired fields of dead instances, and of the fields that Sluice has not written.
local sweeps = ARGV[6] == '0' and not (now >= sweptAt and now - sweptAt < SWEEP_EVERY)
if sweeps then
  local found, expired = call('HSCAN', KEYS[1], cursor, 'COUNT', SWEPT), {}
  for n = 1, #found[2], 2 do
    local field, value = found[2][n], found[2][n + 1]
    local expires = #value <= LONGEST_FIELD and number(match(value, '^%d+'))
    if expires and #field == STUB_NAME then
      expires = expires * HOUR
    end
    if field ~= RECORD and (not expires or expires <= now) then
      expired[#expired + 1] = field
      if expires then
        leaveStub(field, value, expires)
      end
    end
  end
  removeFields(KEYS[1], expired)
  sweptAt, cursor = now, found[1]
end

local mustLive = keyStays < stays
if mustLive then
  keyStays = stays + AMPLE
end
if stub and last ~= '' then
  removed[#removed + 1] = stub
end
reply = table.concat(answers, ' ')
-- A batch that has not changed any data leaves no record. If it is retried, it is applied again. The previous record
-- stays. It is replaced within seconds, when the lifetime of the shares has to be extended.
local isRecorded = changed or mustLive or stub or #kept + #removed > 0 or sweeps
if isRecorded then
  local head = { text(now + ARGV[3]), sequence, text(keyStays), text(sweptAt), cursor }
  kept[#kept + 1], kept[#kept + 2] = RECORD, table.concat(head, ' ') .. usedAtOnce .. '\n' .. reply
  callInParts('HSET', KEYS[1], kept)
end
removeFields(KEYS[1], removed)
if mustLive and call('PTTL', KEYS[1]) < keyStays - now then
  call('PEXPIRE', KEYS[1], text(keyStays - now + AMPLE))
end

publishNews()
return clock .. ' ' .. fleet.instances .. ' ' .. fleet.rank .. (isRecorded and ' 1 ' or ' 0 ') .. reply
