package regroup.test;

import java.io.File;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/**
 * A sink that hangs where it is told to, as one does whose database does not answer: in the places that the property
 * "hang.in" lists (validate, start, taskConfigs, stop, taskStart, taskStop), for as long as the file "hang.while" exists.
 */
public class BlockingConnector extends SinkConnector {
    private Map<String, String> properties;

    static void hang(Map<String, String> properties, String place) {
        String places = properties.getOrDefault("hang.in", "");
        if (!List.of(places.split(",")).contains(place)) {
            return;
        }
        System.out.println("hangs in " + place + " on " + Thread.currentThread().getName());
        File file = new File(properties.get("hang.while"));
        while (file.exists()) {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new ConnectException("interrupted in " + place, e);
            }
        }
        System.out.println("goes on after " + place);
    }

    @Override
    public void start(Map<String, String> properties) {
        this.properties = properties;
        hang(properties, "start");
    }

    @Override
    public List<Map<String, String>> taskConfigs(int maxTasks) {
        hang(properties, "taskConfigs");
        return Collections.nCopies(maxTasks, properties);
    }

    @Override
    public Config validate(Map<String, String> properties) {
        hang(properties, "validate");
        return super.validate(properties);
    }

    @Override
    public void stop() {
        hang(properties, "stop");
    }

    @Override
    public Class<? extends Task> taskClass() {
        return BlockingTask.class;
    }

    @Override
    public ConfigDef config() {
        return new ConfigDef();
    }

    @Override
    public String version() {
        return "1";
    }

    /** Its task takes records and does nothing with them. */
    public static class BlockingTask extends SinkTask {
        private Map<String, String> properties;

        @Override
        public void start(Map<String, String> properties) {
            this.properties = properties;
            hang(properties, "taskStart");
        }

        @Override
        public void put(Collection<SinkRecord> records) {
        }

        @Override
        public void stop() {
            hang(properties, "taskStop");
        }

        @Override
        public String version() {
            return "1";
        }
    }
}
