package dev.sluice.store.redis.limits;

/**
 * The scripts by which limits of clients are changed and followed; each ends what has run out of time first.
 *
 * <p>The version tells whether Redis has lost limits since an instance read them, all of them or the latest. It names the
 * births of the data, the latest first, with the number of changes since each: {@code birth.number,…}. Where there is no
 * data, a change or an instance that puts limits back begins a birth. One that puts them back adds the births that it
 * knew. So an instance misses something if the latest birth that it knows is not there, or with a smaller number.
 */
final class LimitScripts {

    /**
     * Ends limits, some at a time, by the clock of Redis: so they end for all instances alike, however their clocks
     * differ. KEYS: the limits, their version, and when those end that do. ARGV[1]: the name of a birth, if there has to
     * be one.
     */
    private static final String END = """
            if redis.replicate_commands then redis.replicate_commands() end
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local function text(number)
              return string.format('%.0f', number)
            end
            local function births(version)
              local order, changes = {}, {}
              for birth, number in string.gmatch(version or '', '([%w-]+)%.(%d+)') do
                order[#order + 1] = birth
                changes[birth] = tonumber(number)
              end
              return order, changes
            end
            local function write(order, changes)
              local words = {}
              for n = 1, math.min(#order, 8) do words[n] = order[n] .. '.' .. text(changes[order[n]]) end
              redis.call('SET', KEYS[2], table.concat(words, ','))
            end
            local function changed()
              local order, changes = births(redis.call('GET', KEYS[2]))
              if #order == 0 then order[1] = ARGV[1] end
              changes[order[1]] = (changes[order[1]] or 0) + 1
              write(order, changes)
            end
            local function misses(version, known)
              local order, changes = births(version)
              local latest, number = births(known)
              return latest[1] and (not version or #order > 0)
                and (changes[latest[1]] or 0) < number[latest[1]]
            end
            local ends = redis.pcall('ZRANGE', KEYS[3], 0, 99, 'WITHSCORES')
            if ends.err then
              redis.call('DEL', KEYS[3])
              ends = {}
            end
            local ended = false
            for n = 1, #ends, 2 do
              if tonumber(ends[n + 1]) <= now then
                redis.call('HDEL', KEYS[1], ends[n])
                redis.call('ZREM', KEYS[3], ends[n])
                ended = true
              end
            end
            if ended then changed() end
            """;

    /**
     * Answers with the version, which is empty if no limit was ever set, the time, and 1 if Redis has lost what it had
     * when its version was ARGV[2].
     */
    static final String FOLLOW = END + """
            local version = redis.call('GET', KEYS[2])
            return { version or '', text(now), misses(version, ARGV[2]) and 1 or 0 }
            """;

    /**
     * Sets or, without tiers, removes one limit: 1 if that changed something, 0 if there was nothing, -1 if there are
     * too many. ARGV: the birth, the field, the tiers, the most limits, for how many milliseconds or 0, by whom, and why.
     */
    static final String CHANGE = END + """
            if ARGV[3] == '' then
              if redis.call('HDEL', KEYS[1], ARGV[2]) == 0 then return 0 end
              redis.call('ZREM', KEYS[3], ARGV[2])
            else
              if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
                return -1
              end
              local lasts, ends = tonumber(ARGV[5]), 0
              if lasts > 0 then
                ends = now + lasts
                redis.call('ZADD', KEYS[3], text(ends), ARGV[2])
              else
                redis.call('ZREM', KEYS[3], ARGV[2])
              end
              local notes = text(ends) .. '|' .. text(now) .. '|' .. ARGV[6] .. '|' .. ARGV[7]
              redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. '|' .. notes)
            end
            changed()
            return 1
            """;

    /**
     * Puts limits back that Redis has lost since its version was ARGV[2], unless the same limit was set later or is over,
     * and tells how many; -1 if none were lost, or another instance was first. ARGV[3]: the most limits. ARGV[4]: 1 if no
     * further ones follow. ARGV[5]: when that version was read. Then a field and its value for each. KEYS[4] is for these
     * scripts alone, to know by the last of them which limits all have named.
     *
     * <p>A limit that was set before that version was read and is not in it had been removed by then: it is there again
     * since an instance that had not heard of that put it back, or since an older state of Redis is back. So it is
     * removed once more. The clocks of two Redis that follow one another may differ by ARGV[6] milliseconds.
     */
    static final String PUT_BACK = END + """
            local version = redis.call('GET', KEYS[2])
            if not misses(version, ARGV[2]) then return -1 end
            local function times(value)
              local ends, set = string.match(value or '', '^[^|]*|(%d+)|(%d+)')
              return tonumber(ends) or 0, tonumber(set) or 0
            end
            local room, put = tonumber(ARGV[3]) - redis.call('HLEN', KEYS[1]), 0
            for n = 7, #ARGV, 2 do
              redis.call('HSET', KEYS[4], ARGV[n], '')
              local there = redis.call('HMGET', KEYS[1], ARGV[n])[1]
              local ends, set = times(ARGV[n + 1])
              local isOlder = not there
              if there then
                local thereEnds, thereSet = times(there)
                isOlder = thereSet < set
              end
              if isOlder and (ends == 0 or ends > now) and (there or room > 0) then
                if not there then room = room - 1 end
                redis.call('HSET', KEYS[1], ARGV[n], ARGV[n + 1])
                if ends > 0 then
                  redis.call('ZADD', KEYS[3], text(ends), ARGV[n])
                else
                  redis.call('ZREM', KEYS[3], ARGV[n])
                end
                put = put + 1
              end
            end
            redis.call('PEXPIRE', KEYS[4], '60000')
            if ARGV[4] == '1' then
              local all = redis.call('HGETALL', KEYS[1])
              for n = 1, #all, 2 do
                local ends, set = times(all[n + 1])
                if set > 0 and set < tonumber(ARGV[5]) - tonumber(ARGV[6])
                    and redis.call('HEXISTS', KEYS[4], all[n]) == 0 then
                  redis.call('HDEL', KEYS[1], all[n])
                  redis.call('ZREM', KEYS[3], all[n])
                end
              end
              redis.call('DEL', KEYS[4])
              local order, changes = births(version)
              local before, known = births(ARGV[2])
              for n = 1, #before do
                if not changes[before[n]] then order[#order + 1] = before[n] end
                changes[before[n]] = math.max(changes[before[n]] or 0, known[before[n]])
              end
              table.insert(order, 1, ARGV[1])
              changes[ARGV[1]] = 1
              write(order, changes)
            end
            return put
            """;

    private LimitScripts() {}
}
