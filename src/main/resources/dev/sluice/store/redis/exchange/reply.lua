-- Keeps the reply for a batch that is sent again, and publishes what the others have to know.

local reply = table.concat(answers, ' ')
local head = { sequence, text(countedAt), text(instances), text(enteredAt), text(sharesStay) }
call('SET', KEYS[1], table.concat(head, ' ') .. '\n' .. reply, 'PX', ARGV[3])

-- News for the others, in one message. Whether they can be told changes nothing of what was done.
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
