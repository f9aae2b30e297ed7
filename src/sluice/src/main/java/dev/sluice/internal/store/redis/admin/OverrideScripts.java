package dev.sluice.internal.store.redis.admin;

import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;

/**
 * The scripts that read and change client overrides. Each script first removes expired overrides.
 *
 * <p>The version shows whether Redis has lost overrides since an instance read them. It lists the generations of the
 * data, latest first, each with its number of changes: {@code birth.number,…}. Each generation is identified by a
 * random name, called its birth. The first change to empty data starts a generation. An instance that restores
 * overrides also starts a generation, and the list retains the earlier generations that it knows. Therefore, data was
 * lost if the stored version does not contain the latest generation that an instance knows, or if it contains a smaller
 * number for that generation.
 */
final class OverrideScripts {

    /**
     * Removes expired overrides, up to a maximum number. Uses the Redis clock, so overrides expire at the same time for
     * all instances. KEYS: the overrides, their version, and their expiry times. ARGV[1]: the name to use if a new
     * generation starts.
     */
    private static final String END = """
            if redis.replicate_commands then redis.replicate_commands() end
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local function text(number)
              return string.format('%.0f', number)
            end
            -- The value of an override; false if it is longer than Sluice writes.
            local function short(field)
              return redis.call('HSTRLEN', KEYS[1], field) <= LONGEST and redis.call('HGET', KEYS[1], field)
            end
            local function readVersion()
              local version = redis.call('GETRANGE', KEYS[2], 0, 512)
              return version ~= '' and #version <= 512 and version or nil
            end
            local function births(version)
              local order, changes = {}, {}
              for one in string.gmatch(version or '', '[^,]+') do
                local birth, number = string.match(one, '^([%w-]+)%.(%d+)$')
                if birth then
                  order[#order + 1] = birth
                  changes[birth] = tonumber(number)
                end
              end
              return order, changes
            end
            local function write(order, changes)
              local words = {}
              for n = 1, math.min(#order, 8) do words[n] = order[n] .. '.' .. text(changes[order[n]]) end
              redis.call('SET', KEYS[2], table.concat(words, ','))
            end
            local function changed()
              local order, changes = births(readVersion())
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
              redis.call('UNLINK', KEYS[3])
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
            """.replace("LONGEST", String.valueOf(StoredOverride.LONGEST));

    /**
     * Returns the version (empty if no override has ever been set), the time, and 1 if Redis has lost data since
     * version ARGV[2].
     */
    static final String FOLLOW = END + """
            local version = readVersion()
            return { version or '', text(now), misses(version, ARGV[2]) and 1 or 0 }
            """;

    /**
     * Defines a function that adds a change to the history. ARGV: the name of a new generation, the field, the tiers,
     * the maximum number of overrides, the duration in milliseconds or 0, the author, and the reason. KEYS[4]: the
     * history, ordered by the time of each change in microseconds.
     */
    private static final String TO_REMEMBER = END
            + """
            local function remember(ends)
              local notes = text(ends) .. '|' .. text(now) .. '|' .. ARGV[6] .. '|' .. ARGV[7]
              local entry = ARGV[1] .. '\\n' .. ARGV[3] .. '|' .. notes .. '\\n' .. ARGV[2]
              local micros = time[1] * 1000000 + time[2]
              local added = redis.pcall('ZADD', KEYS[4], text(micros), entry)
              if type(added) == 'table' and added.err then
                redis.call('UNLINK', KEYS[4])
                redis.call('ZADD', KEYS[4], text(micros), entry)
              end
              redis.call('ZREMRANGEBYRANK', KEYS[4], 0, -MOST_HISTORY - 1)
              local old = redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', text(micros - HISTORY_MILLIS * 1000), 'LIMIT', 0, 100)
              for n = 1, #old do redis.call('ZREM', KEYS[4], old[n]) end
              redis.call('PEXPIRE', KEYS[4], text(HISTORY_MILLIS))
            end
            """.replace("MOST_HISTORY", String.valueOf(OverrideStore.MOST_HISTORY))
                    .replace("HISTORY_MILLIS", String.valueOf(OverrideStore.HISTORY_LASTS.toMillis()));

    /** Adds an entry to the history, without changing an override. */
    static final String REMEMBER = TO_REMEMBER + """
            remember(0)
            return 1
            """;

    /**
     * Sets an override, or removes it if the tiers are empty. Returns 1 if the overrides have changed, 0 if there was
     * no override to remove, and -1 if there are too many overrides.
     */
    static final String CHANGE = TO_REMEMBER + """
            if ARGV[3] == '' then
              if redis.call('HDEL', KEYS[1], ARGV[2]) == 0 then return 0 end
              redis.call('ZREM', KEYS[3], ARGV[2])
              remember(0)
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
              remember(ends)
            end
            changed()
            return 1
            """;

    /**
     * Returns the number of history entries with ranks from ARGV[1] to ARGV[2], followed by these entries. Omits
     * entries that are too old, and entries that are longer than any that Sluice writes. KEYS: the history.
     */
    static final String HISTORY = """
            local time = redis.call('TIME')
            local oldest = (time[1] * 1000 - HISTORY_MILLIS) * 1000
            local found = redis.pcall('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
            if found.err then return { '0' } end
            local entries = { tostring(#found / 2) }
            for n = 1, #found, 2 do
              if #found[n] <= LONGEST and tonumber(found[n + 1]) >= oldest then entries[#entries + 1] = found[n] end
            end
            return entries
            """.replace("HISTORY_MILLIS", String.valueOf(OverrideStore.HISTORY_LASTS.toMillis()))
            .replace("LONGEST", String.valueOf(2 * StoredOverride.LONGEST));

    /**
     * Restores the overrides that Redis has lost since version ARGV[2], except those that were set again or have
     * expired. Returns the number of restored overrides, or -1 if none were lost or another instance has already
     * restored them. ARGV[3]: the maximum number of overrides. ARGV[4]: 1 if this is the last part. ARGV[5]: when
     * version ARGV[2] was read. Further ARGV: the field and the value of each override. KEYS[4] collects the fields
     * from all parts until the last part arrives.
     *
     * <p>An override that was set before version ARGV[2] was read, but is not part of that version, had already been
     * removed. It must have reappeared because an instance with older data restored it, or because Redis reverted to an
     * older state. The script therefore removes it again. The clocks of two successive Redis servers are assumed to
     * differ by at most ARGV[6] milliseconds.
     */
    static final String PUT_BACK = END + """
            local version = readVersion()
            if not misses(version, ARGV[2]) then return -1 end
            local function times(value)
              local ends, set = string.match(value or '', '^[^|]*|(%d+)|(%d+)')
              return tonumber(ends) or 0, tonumber(set) or 0
            end
            local room, put = tonumber(ARGV[3]) - redis.call('HLEN', KEYS[1]), 0
            for n = 7, #ARGV, 2 do
              redis.call('HSET', KEYS[4], ARGV[n], '')
              local there = short(ARGV[n])
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
              local all = redis.call('HLEN', KEYS[1]) <= tonumber(ARGV[3]) and redis.call('HKEYS', KEYS[1]) or {}
              for n = 1, #all do
                local isKnown = redis.call('HEXISTS', KEYS[4], all[n]) == 1
                local ends, set = times(not isKnown and short(all[n]))
                if set > 0 and set < tonumber(ARGV[5]) - tonumber(ARGV[6]) then
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

    private OverrideScripts() {}
}
